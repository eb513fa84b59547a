import { id, pageOf } from '@balcao/contract/common.ts'
import {
  userTenant,
  userTenantCreate,
  userTenantDelete,
  userTenantsQuery,
  userTenantUpdate,
} from '@balcao/contract/user-tenants.ts'
import { z } from 'zod'
import { withPlatform } from '../../db/database.ts'
import type { Routes } from '../../kit/http.ts'
import { listUserTenants } from './user-tenants.queries.ts'
import { createUserTenant, deleteUserTenant, updateUserTenant } from './user-tenants.service.ts'

const params = z.object({ id })

/** The people of every company, for the superadmin; each call names the company (ruling 12). */
export const userTenantRoutes: Routes = (app) => {
  app.get(
    '/userTenants',
    {
      config: { can: 'tenants.write', summary: 'Listar em que empresas uma pessoa trabalha' },
      schema: { querystring: userTenantsQuery, response: { 200: pageOf(userTenant) } },
    },
    (request) => withPlatform('userTenants', (tx) => listUserTenants(tx, request.query)),
  )

  app.post(
    '/userTenants',
    {
      config: { can: 'tenants.write', summary: 'Dar acesso a outra empresa' },
      schema: { body: userTenantCreate, response: { 201: userTenant } },
    },
    async (request, reply) => reply.status(201).send(await createUserTenant(request.actor, request.body)),
  )

  app.put(
    '/userTenants/:id',
    {
      config: { can: 'tenants.write', summary: 'Atualizar o acesso a outra empresa' },
      schema: { params, body: userTenantUpdate, response: { 200: userTenant } },
    },
    (request) => updateUserTenant(request.actor, request.params.id, request.body),
  )

  app.delete(
    '/userTenants/:id',
    {
      config: { can: 'tenants.write', summary: 'Retirar o acesso a outra empresa' },
      schema: { params, body: userTenantDelete, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await deleteUserTenant(request.actor, request.params.id, request.body.tenantId)
      return reply.status(204).send()
    },
  )
}
