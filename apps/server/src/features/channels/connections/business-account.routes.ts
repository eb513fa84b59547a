import {
  businessNumber,
  codeCheck,
  codeRequest,
  pinChange,
  profileChange,
  shownProfile,
  sipChange,
} from '@balcao/contract/channels/business.ts'
import { id } from '@balcao/contract/common.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { clearAlerts } from './alerts.ts'
import {
  changeProfile,
  deregisterNumber,
  readNumber,
  readProfile,
  registerNumber,
  requestCode,
  setPin,
  setSip,
  takeWebhook,
  verifyCode,
} from './business-account.ts'

const params = z.object({ id })
const config = (summary: string) => ({
  can: 'connections.write' as const,
  summary,
  errors: ['ERR_NO_WAPP_FOUND' as const, 'ERR_CHANNEL_REFUSED' as const, 'ERR_CHANNEL_UNSUPPORTED' as const],
})
const done = { 204: z.void() }

/** The account of a business number, by the names that other programs know these calls by. */
export const businessAccountRoutes: Routes = (app) => {
  app.get(
    '/wabametaGetProfile/:id',
    { config: config('Ler o perfil comercial de um número'), schema: { params, response: { 200: shownProfile } } },
    ({ actor, params }) => readProfile(actor, params.id),
  )
  app.post(
    '/wabametaUpdateProfile/:id',
    {
      config: config('Mudar o perfil comercial de um número'),
      schema: { params, body: profileChange, response: { 200: shownProfile } },
    },
    ({ actor, params, body }) => changeProfile(actor, params.id, body),
  )
  app.get(
    '/wabametaVerifyPhone/:id',
    {
      config: config('Ver a situação de um número no provedor'),
      schema: { params, response: { 200: businessNumber } },
    },
    ({ actor, params }) => readNumber(actor, params.id),
  )
  app.post(
    '/wabametaRequestVerificationCode/:id',
    {
      config: config('Pedir o código que confirma um número'),
      schema: { params, body: codeRequest, response: done },
    },
    async ({ actor, params, body }, reply) => {
      await requestCode(actor, params.id, body)
      return reply.status(204).send()
    },
  )
  app.post(
    '/wabametaVerifyCode/:id',
    { config: config('Confirmar um número com o código'), schema: { params, body: codeCheck, response: done } },
    async ({ actor, params, body }, reply) => {
      await verifyCode(actor, params.id, body)
      return reply.status(204).send()
    },
  )
  app.post(
    '/wabametaRegisterPhone/:id',
    { config: config('Registrar um número com o PIN'), schema: { params, body: pinChange, response: done } },
    async ({ actor, params, body }, reply) => {
      await registerNumber(actor, params.id, body)
      return reply.status(204).send()
    },
  )
  app.delete(
    '/wabametaRegisterPhone/:id',
    { config: config('Retirar o registro de um número'), schema: { params, response: done } },
    async ({ actor, params }, reply) => {
      await deregisterNumber(actor, params.id)
      return reply.status(204).send()
    },
  )
  app.put(
    '/wabametaPin/:id',
    { config: config('Trocar o PIN de duas etapas de um número'), schema: { params, body: pinChange, response: done } },
    async ({ actor, params, body }, reply) => {
      await setPin(actor, params.id, body)
      return reply.status(204).send()
    },
  )
  app.post(
    '/wabametaConfigureSIP/:id',
    {
      config: config('Levar as ligações de um número a uma central SIP'),
      schema: { params, body: sipChange, response: done },
    },
    async ({ actor, params, body }, reply) => {
      await setSip(actor, params.id, body)
      return reply.status(204).send()
    },
  )
  app.post(
    '/wabametaOverrideCallbackUrl/:id',
    { config: config('Receber os avisos da conta no endereço deste canal'), schema: { params, response: done } },
    async ({ actor, params }, reply) => {
      await takeWebhook(actor, params.id)
      return reply.status(204).send()
    },
  )
  app.delete(
    '/whatsapp/:id/alerts',
    { config: config('Marcar como lidos os avisos do provedor'), schema: { params, response: done } },
    async ({ actor, params }, reply) => {
      await clearAlerts(actor, params.id)
      return reply.status(204).send()
    },
  )
}
