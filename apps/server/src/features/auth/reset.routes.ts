import { messageAnswer, passwordResetBody, resetHelp, resetPasswordBody } from '@balcao/contract/auth.ts'
import type { Routes } from '../../kit/http.ts'
import { markDevice } from './known-device.ts'
import { canSendMail } from './mail.ts'
import { requestReset, resetPassword } from './reset.service.ts'

/** A forgotten password. */
export const resetRoutes: Routes = (app) => {
  app.get('/auth/reset-help', { config: { public: true }, schema: { response: { 200: resetHelp } } }, async () => ({
    byEmail: canSendMail(),
  }))

  app.post(
    '/password-reset',
    { config: { public: true }, schema: { body: passwordResetBody, response: { 200: messageAnswer } } },
    async (request) => {
      await requestReset({ email: request.body.email, ip: request.ip })
      return { message: 'E-mail de recuperação de senha enviado.' }
    },
  )

  app.post(
    '/reset-password',
    { config: { public: true }, schema: { body: resetPasswordBody, response: { 200: messageAnswer } } },
    async (request, reply) => {
      const user = await resetPassword({ ...request.body, ip: request.ip })
      markDevice(request, reply, user.email, user) // who reads the account's mail is no stranger
      return { message: 'Senha redefinida com sucesso!' }
    },
  )
}
