import { z } from 'zod'
import { moment } from '../../common.ts'
import { resource, rowMeta } from '../../resource.ts'
import { botIntegrations } from './bots.ts'
import { type Family, families } from './define.ts'
import { evolutionGateway, hubGateway, uazapiGateway, wuzapiGateway, zapiGateway } from './gateways.ts'
import { gmailIntegration } from './gmail.ts'
import { googleCalendarIntegration } from './google-calendar.ts'
import { microsoftIntegration } from './microsoft.ts'
import { modelIntegrations } from './models.ts'
import { proxyIntegration } from './proxy.ts'
import { smtpIntegration } from './smtp.ts'
import { webhookIntegration } from './webhook.ts'

export const integrations = {
  smtp: smtpIntegration,
  gmail: gmailIntegration,
  microsoft: microsoftIntegration,
  proxy: proxyIntegration,
  evolution: evolutionGateway,
  uazapi: uazapiGateway,
  wuzapi: wuzapiGateway,
  zapi: zapiGateway,
  hub: hubGateway,
  googleCalendar: googleCalendarIntegration,
  webhook: webhookIntegration,
  ...modelIntegrations,
  ...botIntegrations,
}
export type IntegrationKind = keyof typeof integrations
export const integrationKinds = Object.keys(integrations) as [IntegrationKind, ...IntegrationKind[]]
export type IntegrationConfig<K extends IntegrationKind> = z.output<(typeof integrations)[K]['config']>
/** Accounts that open a mailbox because their owner consents; a calendar's is no mailbox. */
export const mailboxKinds: readonly IntegrationKind[] = integrationKinds.filter(
  (kind) => integrations[kind].family === 'mail' && 'oauth' in integrations[kind],
)

export const familyNames = Object.keys(families) as [Family, ...Family[]]
export const integrationStates = ['unchecked', 'working', 'broken'] as const
export const integrationStateLabels: Record<(typeof integrationStates)[number], string> = {
  unchecked: 'Ainda sem teste',
  working: 'Funcionando',
  broken: 'Com problema',
}

const write = z.object({
  kind: z.enum(integrationKinds),
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  config: z.record(z.string(), z.unknown()),
})
/** An account of the company at somebody who is no channel. Secrets leave as `true` = stored. */
export const integration = rowMeta.extend({
  ...write.shape,
  family: z.enum(familyNames),
  state: z.enum(integrationStates),
  /** What came of the last check, for the person. */
  stateText: z.string().nullable(),
  checkedAt: moment.nullable(),
  /** Its owner's consent is here and has not been taken back; null where none is needed. */
  isAuthorized: z.boolean().nullable(),
})
export type Integration = z.output<typeof integration>

export const integrationResource = resource({
  path: '/integrations',
  event: 'integration',
  label: { one: 'Integração', many: 'Integrações', feminine: true },
  row: integration,
  write,
  fields: { name: 'Nome', kind: 'Tipo', config: 'Dados da conta', family: 'Para quê', state: 'Situação' },
  sort: ['name', 'createdAt', 'updatedAt'],
  filter: ['kind'],
  can: { read: 'integrations.write', write: 'integrations.write' },
})

/** The outcome of "testar": `text` is for the person. */
export const integrationTest = z.object({ ok: z.boolean(), text: z.string() })
/** Of an account whose owner consents; `inWindow`: in a window of its own, which closes by itself. */
export const integrationConsentBody = z.object({ inWindow: z.boolean().default(false) })
/** Where the browser goes to consent. */
export const integrationConsent = z.object({ url: z.string() })
/** What the provider sent the browser back with; without a code, the owner said no. */
export const consentReturn = z.object({ state: z.string().max(200), code: z.string().max(4_000).optional() })
export const consentOutcome = z.object({ integrationId: z.uuid(), isAuthorized: z.boolean(), inWindow: z.boolean() })
export type ConsentOutcome = z.output<typeof consentOutcome>
/** Kinds for which the installation has a client, so that a company needs none of its own. */
export const installationClients = z.object({ kinds: z.array(z.enum(integrationKinds)) })
