import {
  messageAnswer,
  passwordResetBody,
  resetCheckAnswer,
  resetCheckBody,
  resetHelp,
  resetPasswordBody,
} from '@balcao/contract/people/auth.ts'
import type { Routes } from '../../../kit/http.ts'
import { canSendMail } from '../mail/transport.ts'
import { markDevice } from './known-device.ts'
import { findLinkAccount, requestReset, resetPassword } from './reset.service.ts'

/** A forgotten password. */
export const resetRoutes: Routes = (app) => {
  app.get(
    '/auth/reset-help',
    {
      config: { public: true, summary: 'Saber como a senha pode ser redefinida' },
      schema: { response: { 200: resetHelp } },
    },
    async () => ({
      byEmail: await canSendMail(),
    }),
  )

  app.post(
    '/password-reset',
    {
      config: { public: true, summary: 'Pedir o link para redefinir a senha', errors: ['ERR_TOO_MANY'] },
      schema: { body: passwordResetBody, response: { 200: messageAnswer } },
    },
    async (request) => {
      await requestReset({ email: request.body.email, ip: request.ip })
      return { message: 'E-mail de recuperação de senha enviado.' }
    },
  )

  app.post(
    '/reset-password/check',
    {
      config: { public: true, summary: 'Conferir se o link ainda vale', errors: ['ERR_TOO_MANY'] },
      schema: { body: resetCheckBody, response: { 200: resetCheckAnswer } },
    },
    async ({ body, ip }) => {
      const account = await findLinkAccount({ ...body, ip })
      return { isValid: account !== null, account }
    },
  )

  app.post(
    '/reset-password',
    {
      config: {
        public: true,
        summary: 'Redefinir a senha com o link',
        errors: ['ERR_PASSWORD_PLAIN', 'ERR_PASSWORD_WEAK', 'ERR_RESET_TOKEN'],
      },
      schema: { body: resetPasswordBody, response: { 200: messageAnswer } },
    },
    async (request, reply) => {
      const user = await resetPassword({ ...request.body, ip: request.ip })
      markDevice(request, reply, user.email, user) // who reads the account's mail is no stranger
      return { message: 'Senha redefinida com sucesso!' }
    },
  )
}
