import { id, pageOf } from '@balcao/contract/common.ts'
import { changePasswordBody, messageAnswer, userSelf } from '@balcao/contract/people/auth.ts'
import {
  agentPauses,
  availability,
  availabilityBody,
  onlineBody,
  pausesQuery,
  user,
  userConfigs,
  userConfigsPatch,
  userCreate,
  userDelete,
  userInvite,
  userOption,
  usersQuery,
  userUpdate,
  userWork,
} from '@balcao/contract/people/users.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { setAvailability, setOnline } from '../presence/presence.ts'
import { inviteUser } from './invite.ts'
import { listPauses } from './pauses.ts'
import { listUsers } from './users.queries.ts'
import {
  changeOwnPassword,
  createUser,
  deleteUser,
  getUser,
  readUserWork,
  saveConfigs,
  updateUser,
} from './users.service.ts'

const params = z.object({ id })

/** The people of a company. What one may do with somebody else's row is decided in the service. */
export const userRoutes: Routes = (app) => {
  app.get(
    '/users',
    {
      config: { can: 'users.write', summary: 'Listar os usuários' },
      schema: { querystring: usersQuery, response: { 200: pageOf(user) } },
    },
    (request) => withTenant(request.actor.tenantId, (tx) => listUsers(tx, request.query)),
  )

  app.get(
    '/users/options',
    {
      config: { can: 'users.read', summary: 'Listar os usuários em forma curta' },
      schema: { response: { 200: z.array(userOption) } },
    },
    async (request) => {
      const { people } = await getDirectory(request.actor.tenantId)
      return [...people.values()]
        .filter((person) => !person.isBlocked)
        .map(({ id, name, isOnline, awaySince, awayReason, queueIds }) => ({
          id,
          name,
          isOnline,
          isAway: awaySince !== null,
          awaySince: awaySince && new Date(awaySince).toISOString(),
          awayReason,
          queueIds,
        }))
        .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))
    },
  )

  app.post(
    '/users',
    {
      config: {
        can: 'users.write',
        summary: 'Criar um usuário',
        errors: ['ERR_DUPLICATED_EMAIL', 'ERR_PASSWORD_PLAIN', 'ERR_PASSWORD_WEAK', 'ERR_USER_LIMIT_USER_CREATION'],
      },
      schema: { body: userCreate, response: { 201: user } },
    },
    async (request, reply) => reply.status(201).send(await createUser(request.actor, request.body)),
  )

  app.post(
    '/users/:id/invite',
    {
      config: {
        can: 'users.write',
        summary: 'Convidar um usuário de novo',
        errors: ['ERR_NO_USER_FOUND', 'ERR_TOO_MANY'],
      },
      schema: { params, response: { 200: userInvite } },
    },
    (request) => inviteUser(request.actor, request.params.id),
  )

  app.get(
    '/users/:id',
    {
      config: { can: 'self.write', summary: 'Ler um usuário', errors: ['ERR_NO_USER_FOUND'] },
      schema: { params, response: { 200: userSelf } },
    },
    (request) => getUser(request.actor, request.params.id),
  )

  app.put(
    '/users/:id',
    {
      config: {
        can: 'self.write',
        summary: 'Atualizar um usuário',
        errors: ['ERR_CONFLICT', 'ERR_DUPLICATED_EMAIL', 'ERR_LAST_ADMIN', 'ERR_NO_USER_FOUND', 'ERR_PASSWORD_PLAIN'],
      },
      schema: { params, body: userUpdate, response: { 200: user } },
    },
    (request) => updateUser(request.actor, request.params.id, request.body),
  )

  app.delete(
    '/users/:id',
    {
      config: { can: 'users.write', summary: 'Excluir um usuário', errors: ['ERR_LAST_ADMIN', 'ERR_NO_USER_FOUND'] },
      schema: { params, body: userDelete, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await deleteUser(request.actor, request.params.id, request.body.handOverTo)
      return reply.status(204).send()
    },
  )

  app.get(
    '/users/:id/work',
    {
      config: { can: 'users.write', summary: 'Contar os atendimentos de um usuário', errors: ['ERR_NO_USER_FOUND'] },
      schema: { params, response: { 200: userWork } },
    },
    (request) => readUserWork(request.actor, request.params.id),
  )

  app.put(
    '/users/:id/configs',
    {
      config: { can: 'self.write', summary: 'Guardar as preferências de um usuário', errors: ['ERR_NO_USER_FOUND'] },
      schema: { params, body: userConfigsPatch, response: { 200: userConfigs } },
    },
    (request) => saveConfigs(request.actor, request.params.id, request.body),
  )

  app.put(
    '/users/:id/password',
    {
      config: {
        can: 'self.write',
        summary: 'Trocar a própria senha',
        errors: ['ERR_NO_USER_FOUND', 'ERR_PASSWORD_PLAIN', 'ERR_PASSWORD_WEAK', 'ERR_PASSWORD_WRONG'],
      },
      schema: { params, body: changePasswordBody, response: { 200: messageAnswer } },
    },
    async (request) => {
      await changeOwnPassword(request.actor, request.params.id, request.body)
      return { message: 'Senha alterada. Entre novamente com a nova senha.' }
    },
  )

  app.put(
    '/usersIsOnline/:id',
    {
      config: { can: 'self.write', summary: 'Informar se um usuário está disponível', errors: ['ERR_NO_USER_FOUND'] },
      schema: { params, body: onlineBody, response: { 200: onlineBody } },
    },
    async ({ actor, params, body }) => {
      const { people } = await getDirectory(actor.tenantId)
      if (!people.has(params.id)) throw new AppError('ERR_NO_USER_FOUND')
      if (params.id !== actor.userId && !actor.permissions.has('users.write')) throw new AppError('ERR_NO_PERMISSION')
      await setOnline(actor.tenantId, params.id, body.isOnline)
      return { isOnline: body.isOnline }
    },
  )

  app.put(
    '/users/:id/availability',
    {
      config: { can: 'self.write', summary: 'Fazer uma pausa ou voltar dela', errors: ['ERR_NO_USER_FOUND'] },
      schema: { params, body: availabilityBody, response: { 200: availability } },
    },
    (request) => setAvailability(request.actor, request.params.id, request.body),
  )

  app.get(
    '/users/:id/pauses',
    {
      config: { can: 'users.supervise', summary: 'Listar as pausas de um usuário', errors: ['ERR_NO_USER_FOUND'] },
      schema: { params, querystring: pausesQuery, response: { 200: agentPauses } },
    },
    (request) => listPauses(request.actor, request.params.id, request.query),
  )
}
