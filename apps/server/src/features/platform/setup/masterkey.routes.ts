import {
  messageAnswer,
  redeemBody,
  sessionAnswer,
  setupBody,
  setupState,
  setupStateBody,
} from '@balcao/contract/people/auth.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { addressKey, reserveAttempt } from '../../people/auth/attempts.ts'
import { redeemImpersonationCode } from '../../people/auth/impersonation.ts'
import { onlyFromOurPages, setRefreshCookie } from '../../people/auth/refresh-cookie.ts'
import { answerSession } from '../../people/auth/session-answer.ts'
import { installPlatform, isInstalled, isSetupLink } from './setup.ts'

/** The first-run and recovery door. There is no universal password. */
export const masterkeyRoutes: Routes = (app) => {
  // A post: the link's token must not stand in an address, which logs keep.
  app.post(
    '/masterkey/state',
    {
      config: { public: true, summary: 'Conferir o link de instalação' },
      schema: { body: setupStateBody, response: { 200: setupState } },
    },
    async ({ ip, body: { tokenSetup } }) => {
      await limitAddress(ip)
      return { isInstalled: await isInstalled(), isUsable: tokenSetup !== undefined && (await isSetupLink(tokenSetup)) }
    },
  )

  app.post(
    '/masterkey/setup',
    {
      config: {
        public: true,
        summary: 'Criar a primeira empresa e seu administrador',
        errors: ['ERR_DUPLICATED_EMAIL', 'ERR_PASSWORD_PLAIN', 'ERR_PASSWORD_WEAK', 'ERR_SETUP_TOKEN'],
      },
      schema: { body: setupBody, response: { 201: messageAnswer } },
    },
    async (request, reply) => {
      await limitAddress(request.ip)
      await installPlatform(request.body)
      return reply.status(201).send({ message: 'Instalação concluída. Entre com o seu e-mail e senha.' })
    },
  )

  app.post(
    '/masterkey/redeem',
    {
      config: {
        public: true,
        summary: 'Usar um código de acesso do suporte',
        errors: ['ERR_IMPERSONATION_CODE', 'ERR_IMPERSONATION_FORBIDDEN'],
      },
      preHandler: onlyFromOurPages,
      schema: { body: redeemBody, response: { 200: sessionAnswer } },
    },
    async (request, reply) => {
      await limitAddress(request.ip)
      const session = await redeemImpersonationCode(request.body.code)
      setRefreshCookie(request, reply, session)
      return answerSession(session.claims)
    },
  )
}

const limitAddress = async (ip: string) => {
  const exceeded = await reserveAttempt([{ scope: 'masterkey:address', key: addressKey(ip), max: 20, windowS: 60 }])
  if (exceeded) throw new AppError('ERR_LIMIT_MAX', { retryAfterS: exceeded.retryAfterS })
}
