import { id, pageOf } from '@balcao/contract/common.ts'
import {
  userTenant,
  userTenantCreate,
  userTenantDelete,
  userTenantsQuery,
  userTenantUpdate,
  userTenantWork,
  userTenantWorkQuery,
} from '@balcao/contract/people/user-tenants.ts'
import { z } from 'zod'
import { withPlatform } from '../../../db/database.ts'
import type { Routes } from '../../../kit/http.ts'
import { listUserTenants } from './user-tenants.queries.ts'
import { createUserTenant, deleteUserTenant, readUserTenantWork, updateUserTenant } from './user-tenants.service.ts'

const params = z.object({ id })

/** The people of every company, for the superadmin; each call names the company. */
export const userTenantRoutes: Routes = (app) => {
  app.get(
    '/userTenants',
    {
      config: { can: 'tenants.write', summary: 'Listar as pessoas das empresas' },
      schema: { querystring: userTenantsQuery, response: { 200: pageOf(userTenant) } },
    },
    (request) => withPlatform('userTenants', (tx) => listUserTenants(tx, request.query)),
  )

  app.post(
    '/userTenants',
    {
      config: { can: 'tenants.write', summary: 'Criar uma pessoa em uma empresa' },
      schema: { body: userTenantCreate, response: { 201: userTenant } },
    },
    async (request, reply) => reply.status(201).send(await createUserTenant(request.actor, request.body)),
  )

  app.get(
    '/userTenants/:id/work',
    {
      config: {
        can: 'tenants.write',
        summary: 'Ver o que ficaria sem atendente',
      },
      schema: { params, querystring: userTenantWorkQuery, response: { 200: userTenantWork } },
    },
    (request) => readUserTenantWork(request.query.tenantId, request.params.id),
  )

  app.put(
    '/userTenants/:id',
    {
      config: { can: 'tenants.write', summary: 'Mudar uma pessoa de uma empresa' },
      schema: { params, body: userTenantUpdate, response: { 200: userTenant } },
    },
    (request) => updateUserTenant(request.actor, request.params.id, request.body),
  )

  app.delete(
    '/userTenants/:id',
    {
      config: { can: 'tenants.write', summary: 'Excluir uma pessoa de uma empresa' },
      schema: { params, body: userTenantDelete, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await deleteUserTenant(request.actor, request.params.id, request.body)
      return reply.status(204).send()
    },
  )
}
