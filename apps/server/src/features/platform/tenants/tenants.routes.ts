import { pageOf } from '@balcao/contract/common.ts'
import {
  impersonateAnswer,
  impersonateBody,
  tenant,
  tenantCreate,
  tenantsQuery,
  tenantUpdate,
} from '@balcao/contract/platform/tenants.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { issueImpersonationCode } from '../../people/auth/impersonation.ts'
import { createTenant, getTenant, listTenants, updateTenant } from './tenants.service.ts'

/** A company is named by a whole number; the word paths under /tenants belong to the companies themselves. */
const params = z.object({ id: z.coerce.number().int().min(0).max(2_147_483_647) })

/** The companies, for the superadmin. */
export const tenantRoutes: Routes = (app) => {
  app.get(
    '/tenants',
    {
      config: { can: 'tenants.read', summary: 'Listar as empresas' },
      schema: { querystring: tenantsQuery, response: { 200: pageOf(tenant) } },
    },
    (request) => listTenants(request.query),
  )

  app.post(
    '/tenants',
    {
      config: { can: 'tenants.write', summary: 'Criar uma empresa', errors: ['ERR_DUPLICATED_EMAIL'] },
      schema: { body: tenantCreate, response: { 201: tenant } },
    },
    async (request, reply) => reply.status(201).send(await createTenant(request.actor, request.body)),
  )

  app.get(
    '/tenants/:id',
    { config: { can: 'tenants.read', summary: 'Ler uma empresa' }, schema: { params, response: { 200: tenant } } },
    (request) => getTenant(request.params.id),
  )

  app.put(
    '/tenants/:id',
    {
      config: { can: 'tenants.write', summary: 'Atualizar uma empresa', errors: ['ERR_CONFLICT'] },
      schema: { params, body: tenantUpdate, response: { 200: tenant } },
    },
    (request) => updateTenant(request.actor, request.params.id, request.body),
  )

  app.post(
    '/tenants/:id/impersonate',
    {
      config: {
        can: 'tenants.impersonate',
        summary: 'Criar um código de acesso do suporte',
        errors: ['ERR_IMPERSONATION_FORBIDDEN'],
      },
      schema: { params, body: impersonateBody, response: { 200: impersonateAnswer } },
    },
    (request) => issueImpersonationCode(request.actor, request.params.id, request.body.reason),
  )
}
