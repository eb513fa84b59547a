import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { InboundEvent } from '../adapter.ts'

const text = z.string()

/** What Meta says of an account or its number: every part may be left out. */
const told = z.object({
  event: loose(text),
  decision: loose(text),
  display_phone_number: loose(text),
  requested_verified_name: loose(text),
  rejection_reason: loose(text),
  current_limit: loose(text),
  max_daily_conversations_per_business: loose(z.union([text, z.number()])),
  max_daily_conversation_per_phone: loose(z.union([text, z.number()])),
  ban_info: loose(z.object({ waba_ban_state: loose(text) })),
  violation_info: loose(z.object({ violation_type: loose(text) })),
  restriction_info: loose(z.array(z.object({ restriction_type: loose(text), expiration: loose(z.number()) }))),
  alert_info: loose(z.object({ alert_severity: loose(text), alert_description: loose(text), alert_type: loose(text) })),
  alert_severity: loose(text),
  alert_description: loose(text),
  alert_type: loose(text),
})
type Told = z.output<typeof told>
type Alert = { text: string; isSerious: boolean }

/** The fields of waba-meta.md §3.6 that speak of the account; their shapes are general knowledge of Meta's webhooks. */
export const alertFields = [
  'account_update',
  'account_alerts',
  'account_review_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'business_capability_update',
  'security',
] as const
type Field = (typeof alertFields)[number]

/** A sentence for whoever takes care of the channel, and how it stands is asked anew. */
export const alertEvents = (field: Field, value: unknown): InboundEvent[] => {
  const alert = sentences[field](told.safeParse(value).data ?? {})
  return [...(alert ? [{ kind: 'alert' as const, ...alert }] : []), { kind: 'standing' }]
}

const serious = (sentence: string): Alert => ({ text: sentence, isSerious: true })
const mild = (sentence: string): Alert => ({ text: sentence, isSerious: false })
/** How many people a day, as Meta names it: `TIER_2K`, `TIER_UNLIMITED`, a number, or a negative one for all. */
const peopleText = (limit: string | number): string => {
  const [, digits, thousands] = /^(?:TIER_)?(\d+)(K?)$/.exec(String(limit)) ?? []
  if (digits === undefined) return 'quantas pessoas quiser'
  const most = Number(digits) * (thousands ? 1_000 : 1)
  return `até ${most.toLocaleString('pt-BR')} pessoas`
}

const sentences: Record<Field, (of: Told) => Alert | undefined> = {
  account_update: (of) => accountEvents[of.event ?? '']?.(of),
  account_alerts: (of) => {
    const { alert_severity, alert_description, alert_type } = of.alert_info ?? of
    const what = alert_description ?? alert_type
    if (!what) return undefined
    return { text: `Aviso da Meta: ${what}`, isSerious: alert_severity === 'CRITICAL' || alert_severity === 'WARNING' }
  },
  account_review_update: ({ decision }) =>
    decision === 'REJECTED'
      ? serious('A Meta recusou a análise desta conta. Veja o motivo no Gerenciador de Negócios.')
      : decision === 'APPROVED'
        ? mild('A Meta aprovou a análise desta conta.')
        : undefined,
  phone_number_name_update: ({ decision, requested_verified_name: name = '' }) =>
    decision === 'APPROVED'
      ? mild(`A Meta aprovou o nome de exibição “${name}”.`)
      : decision
        ? serious(`A Meta não aprovou o nome de exibição “${name}”. Escolha outro no Gerenciador do WhatsApp.`)
        : undefined,
  phone_number_quality_update: ({ event, current_limit = '', display_phone_number: phone = '' }) => {
    const people = peopleText(current_limit)
    if (event === 'FLAGGED')
      return serious(
        `A qualidade do número ${phone} caiu: clientes bloqueiam ou denunciam. Se não melhorar em 7 dias, o limite de envios diminui.`,
      )
    if (event === 'UNFLAGGED') return mild(`A qualidade do número ${phone} voltou ao normal.`)
    if (event === 'DOWNGRADE')
      return serious(
        `O limite de envios do número ${phone} diminuiu: agora ele inicia conversas com ${people} por dia.`,
      )
    if (event === 'UPGRADE')
      return mild(`O limite de envios do número ${phone} aumentou: agora ele inicia conversas com ${people} por dia.`)
    return undefined
  },
  business_capability_update: (of) => {
    const most = of.max_daily_conversations_per_business ?? of.max_daily_conversation_per_phone
    if (most === undefined) return undefined
    return mild(`A empresa agora pode iniciar conversas com ${peopleText(most)} por dia.`)
  },
  security: ({ event, display_phone_number: phone = '' }) =>
    event?.startsWith('PIN_')
      ? serious(
          `O PIN de duas etapas do número ${phone} mudou ou alguém pediu para mudá-lo. Se não foi a sua equipe, troque-o agora.`,
        )
      : undefined,
}

const accountEvents: Partial<Record<string, (of: Told) => Alert>> = {
  VERIFIED_ACCOUNT: () => mild('A Meta verificou esta conta.'),
  DISABLED_UPDATE: ({ ban_info }) =>
    ban_info?.waba_ban_state === 'REINSTATE'
      ? mild('A Meta reativou esta conta.')
      : serious('A Meta vai desativar ou desativou esta conta. Peça revisão no Gerenciador de Negócios.'),
  ACCOUNT_VIOLATION: ({ violation_info }) =>
    serious(
      `A Meta apontou uma violação das regras${violation_info?.violation_type ? ` (${violation_info.violation_type})` : ''}. Corrija antes que a conta seja restrita.`,
    ),
  ACCOUNT_RESTRICTION: ({ restriction_info }) =>
    serious(`A Meta restringiu esta conta${limitsOf(restriction_info)}. Veja até quando no Gerenciador de Negócios.`),
  ACCOUNT_DELETED: () => serious('Esta conta do WhatsApp foi excluída na Meta.'),
  PARTNER_REMOVED: () => serious('O acesso deste aplicativo à conta foi retirado na Meta.'),
}
const limitsOf = (all: Told['restriction_info']) => {
  const limits = (all ?? []).flatMap(({ restriction_type: kind }) => (kind ? (restrictions[kind] ?? kind) : []))
  return limits.length ? `: ${new Intl.ListFormat('pt-BR').format(limits)}` : ''
}
const restrictions: Partial<Record<string, string>> = {
  RESTRICTED_BIZ_INITIATED_MESSAGING: 'ela não inicia conversas',
  RESTRICTED_CUSTOMER_INITIATED_MESSAGING: 'ela não responde a clientes',
  RESTRICTED_ADD_PHONE_NUMBER_ACTION: 'ela não cadastra números',
}
