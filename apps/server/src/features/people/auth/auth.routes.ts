import { loginBody, messageAnswer, sessionAnswer, sessionMe, switchBody } from '@balcao/contract/people/auth.ts'
import { z } from 'zod'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { setOnline } from '../presence/presence.ts'
import { issueAccessToken, readActor } from './access-token.ts'
import { markDevice, readDevice } from './known-device.ts'
import { logIn } from './login.service.ts'
import { loginPublicKey } from './login-key.ts'
import { switchProfile } from './profiles.ts'
import { clearRefreshCookie, onlyFromOurPages, readRefreshCookie, setRefreshCookie } from './refresh-cookie.ts'
import { answerSession, describeSession } from './session-answer.ts'
import { closeSession, renewSession } from './sessions.ts'

/** Log in, stay in, log out. */
export const authRoutes: Routes = (app) => {
  app.get(
    '/publicEncryptionKey',
    { config: { public: true, summary: 'Ler a chave pública que protege a senha' } },
    async (_, reply) =>
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(loginPublicKey()),
  )

  app.post(
    '/auth/login',
    {
      config: {
        public: true,
        summary: 'Entrar com e-mail e senha',
        errors: [
          'ERR_INVALID_CREDENTIALS',
          'ERR_LIMIT_MAX',
          'ERR_PASSWORD_PLAIN',
          'ERR_TENANT_INACTIVE',
          'ERR_USER_BLOCKED',
          'OUT_RANGE',
        ],
      },
      preHandler: onlyFromOurPages,
      schema: { body: loginBody, response: { 200: sessionAnswer } },
    },
    async (request, reply) => {
      const { email } = request.body
      const device = readDevice(request, email)
      const { session, user } = await logIn({ ...request.body, ip: request.ip, device })
      setRefreshCookie(request, reply, session)
      markDevice(request, reply, email, user)
      return answerSession(session.claims)
    },
  )

  app.post(
    '/auth/refresh_token',
    {
      config: { public: true, summary: 'Renovar a sessão', errors: ['ERR_SESSION_EXPIRED'] },
      preHandler: onlyFromOurPages,
      schema: { response: { 200: z.object({ token: z.string() }) } },
    },
    async (request, reply) => {
      const cookie = readRefreshCookie(request)
      if (!cookie) throw new AppError('ERR_SESSION_EXPIRED')
      const session = await renewSession(cookie).catch((error: unknown) => {
        if (error instanceof AppError) clearRefreshCookie(request, reply)
        throw error
      })
      const token = await issueAccessToken(session.claims)
      await readActor(token) // a session that may not act any more, an ended visit for one, is not renewed
      setRefreshCookie(request, reply, session)
      return { token }
    },
  )

  app.post(
    '/auth/logout',
    {
      config: { public: true, summary: 'Sair' },
      preHandler: onlyFromOurPages,
      schema: { response: { 200: messageAnswer } },
    },
    async (request, reply) => {
      const cookie = readRefreshCookie(request)
      const closed = cookie ? await closeSession(cookie).catch(ignoreStrange) : undefined
      if (closed && !closed.impersonatorId) await setOnline(closed.tenantId, closed.userId, false)
      clearRefreshCookie(request, reply)
      return { message: 'Você saiu.' }
    },
  )

  app.post(
    '/auth/switch',
    {
      config: {
        can: 'self.write',
        summary: 'Trocar de perfil entre a empresa e a plataforma',
        errors: ['ERR_NOT_FOUND', 'ERR_PASSWORD_PLAIN', 'ERR_PASSWORD_WRONG'],
      },
      preHandler: onlyFromOurPages,
      schema: { body: switchBody, response: { 200: sessionAnswer } },
    },
    async (request, reply) => {
      const { actor } = request
      const session = await switchProfile(actor, request.body.password)
      if (actor.tenantId > 0) await setOnline(actor.tenantId, actor.userId, false)
      setRefreshCookie(request, reply, session)
      return answerSession(session.claims)
    },
  )

  app.get(
    '/auth/me',
    { config: { can: 'self.write', summary: 'Ler a própria sessão' }, schema: { response: { 200: sessionMe } } },
    (request) => describeSession(request.actor),
  )
}

/** A cookie that is none of ours has nothing to end. */
const ignoreStrange = (error: unknown) => {
  if (error instanceof AppError) return undefined
  throw error
}
