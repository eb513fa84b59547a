import {
  logoBody,
  settingsAnswer,
  settingsPatch,
  settingsWrite,
  type TenantSettings,
  tenantSettings,
  timezoneBody,
} from '@balcao/contract/people/settings.ts'
import type { Permission } from '@balcao/contract/permissions.ts'
import { z } from 'zod'
import type { App, Routes } from '../../../kit/http.ts'
import { readSettings, saveLogo, saveSettings, saveTimezone } from './settings.service.ts'

/** A company's settings, whole, and the spec's views of some of them. */
export const settingsRoutes: Routes = (app) => {
  app.get(
    '/settings',
    {
      config: { can: 'settings.read', summary: 'Ler as configurações da empresa' },
      schema: { response: { 200: settingsAnswer } },
    },
    (request) => readSettings(request.actor.tenantId),
  )
  app.put(
    '/settings',
    {
      config: { can: 'settings.write', summary: 'Atualizar as configurações da empresa', errors: ['ERR_CONFLICT'] },
      schema: { body: settingsWrite, response: { 200: settingsAnswer } },
    },
    ({ actor, body: { before, ...patch } }) => saveSettings(actor, patch, before),
  )
  app.put(
    '/settings/timezone',
    {
      config: { can: 'settings.write', summary: 'Trocar o fuso horário da empresa' },
      schema: { body: timezoneBody, response: { 200: settingsAnswer } },
    },
    (request) => saveTimezone(request.actor, request.body.timezone),
  )
  app.put(
    '/settings/logo',
    {
      config: { can: 'settings.write', summary: 'Trocar o logotipo da empresa' },
      schema: { body: logoBody, response: { 200: settingsAnswer } },
    },
    (request) => saveLogo(request.actor, request.body.mediaId),
  )

  app.get(
    '/tenants/business-hours',
    {
      config: { can: 'settings.read', summary: 'Ler o horário de atendimento' },
      schema: { response: { 200: hoursView } },
    },
    (request) => readSettings(request.actor.tenantId),
  )
  app.get(
    '/tenants/systemColors',
    {
      config: { can: 'settings.read', summary: 'Ler as cores do sistema' },
      schema: { response: { 200: tenantSettings.shape.systemColors } },
    },
    async (request) => (await readSettings(request.actor.tenantId)).systemColors,
  )
  const hours = 'business-hours.write'
  putOne(app, '/tenants/business-hours', 'businessHours', { can: hours, summary: 'Trocar o horário de atendimento' })
  putOne(app, '/tenants/message-business-hours', 'messageBusinessHours', {
    can: hours,
    summary: 'Trocar a mensagem fora do horário',
  })
  putOne(app, '/tenants/holidays', 'holidays', { can: hours, summary: 'Trocar os feriados' })
  putOne(app, '/tenantsServiceTransfer', 'transbordo', {
    can: 'settings.write',
    summary: 'Ligar o transbordo da carteira',
  })
  putOne(app, '/tenantsWalletExternal', 'carteiraExterna', {
    can: 'settings.write',
    summary: 'Deixar os assistentes fora da carteira',
  })
  putOne(app, '/tenants/systemColors', 'systemColors', { can: 'settings.write', summary: 'Trocar as cores do sistema' })
}

const hoursView = tenantSettings
  .pick({ businessHours: true, messageBusinessHours: true, holidays: true })
  .extend({ timezone: z.string() })

/** PUT of one setting, as `{ name: value }` or, for a list, the bare list; a switch also as "enabled" or "disabled". */
const putOne = (app: App, path: string, name: keyof TenantSettings, config: { can: Permission; summary: string }) => {
  const view: z.ZodType<z.output<typeof settingsWrite>> = z.object({
    [name]: tenantSettings.shape[name],
    before: settingsPatch.optional(),
  })
  const body = z.preprocess((sent) => (Array.isArray(sent) ? { [name]: sent } : switched(sent, name)), view)
  app.put(path, { config, schema: { body, response: { 200: settingsAnswer } } }, ({ actor, body }) => {
    const { before, ...patch } = body
    return saveSettings(actor, patch, before)
  })
}

const switched = (sent: unknown, name: string): unknown => {
  if (typeof sent !== 'object' || sent === null) return sent
  const value = Reflect.get(sent, name)
  return value === 'enabled' || value === 'disabled' ? { ...sent, [name]: value === 'enabled' } : sent
}
