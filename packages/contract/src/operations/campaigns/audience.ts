import { z } from 'zod'
import { id } from '../../common.ts'
import { type Segment, segmentRules, segmentShape } from '../../contacts/segments/segments.ts'
import { variableLabel } from '../../variables.ts'

const ids = (message: string) => z.array(id).min(1, message).max(200)
const sourceWith = <Rules extends z.ZodType<Segment>>(rules: Rules) =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('everybody') }),
    /** `rules`: as they were when the campaign was started; a client leaves them out. */
    z.strictObject({ kind: z.literal('segment'), segmentId: id, rules: rules.optional() }),
    z.strictObject({ kind: z.literal('rules'), rules }),
    z.strictObject({ kind: z.literal('tags'), tagIds: ids('Escolha ao menos uma etiqueta.') }),
    z.strictObject({ kind: z.literal('lanes'), laneIds: ids('Escolha ao menos uma etapa.') }),
    z.strictObject({ kind: z.literal('wallets'), userIds: ids('Escolha ao menos uma pessoa.') }),
    z.strictObject({ kind: z.literal('import'), importId: id }),
    z.strictObject({ kind: z.literal('contacts'), contactIds: z.array(id).min(1).max(5_000) }),
    z.strictObject({ kind: z.literal('groups'), contactIds: ids('Escolha ao menos um grupo.') }),
    /** Whom another campaign wrote to, narrowed by what became of it. */
    z.strictObject({
      kind: z.literal('campaign'),
      campaignId: id,
      who: z.enum(['all', 'answered', 'notAnswered', 'read', 'notRead', 'failed']),
    }),
  ])
/**
 * Where recipients come from, or who is left out. An import is a list that was pasted or brought as CSV or XLSX: its
 * columns are variables of each row, `{{extra.<heading>}}`, before the contact's own fields.
 */
export const audienceSource = sourceWith(segmentRules)
export type AudienceSource = z.output<typeof audienceSource>

export const campaignAudience = z.object({
  include: z.array(audienceSource).max(20).default([]),
  exclude: z.array(audienceSource).max(20).default([]),
  /** Who is in a conversation that is not closed is left alone. */
  skipActive: z.boolean().default(false),
  /** Whoever got a campaign in the last so many days is left alone; 0: nobody is. */
  restDays: z.int().min(0).max(365).default(0),
  /** Who comes to belong to it after the start is written to as well. */
  takesLate: z.boolean().default(false),
})
export type CampaignAudience = z.output<typeof campaignAudience>
/** As it leaves: what reads rules cannot write them. */
export const keptAudience = campaignAudience.extend({
  include: z.array(sourceWith(segmentShape)),
  exclude: z.array(sourceWith(segmentShape)),
})

/** Why somebody is not written to. */
export const skipReasons = {
  noWay: 'Não tem endereço em nenhum dos canais',
  invalid: 'Número ou e-mail inválido',
  unreachable: 'Não é alcançado por este canal',
  notOnChannel: 'O número não tem WhatsApp',
  optedOut: 'Pediu para não receber',
  blocked: 'Número bloqueado',
  repeated: 'Repetido: mesma pessoa ou mesmo número',
  inConversation: 'Está em atendimento',
  wroteRecently: 'Recebeu campanha há pouco tempo',
  missingVariable: 'Faltam dados para as variáveis',
  excluded: 'Está entre os excluídos',
  gone: 'O contato foi excluído',
  answered: 'Já respondeu',
  read: 'Já leu',
  removed: 'Retirado por alguém da equipe',
} as const
export type SkipReason = keyof typeof skipReasons
export const skipReasonKeys = Object.keys(skipReasons) as [SkipReason, ...SkipReason[]]

/** Why somebody is left out; of several variables that nothing is known for, the first. */
export const skipped = z.object({ reason: z.enum(skipReasonKeys), missing: z.string().nullable() })
export type Skipped = z.output<typeof skipped>
export const skipText = ({ reason, missing }: Skipped): string =>
  missing === null ? skipReasons[reason] : `Falta “${variableLabel(missing)}”`

/** As recipients keep it and tallies count it: `missingVariable:extra.cidade`. */
export const keptSkip = ({ reason, missing }: Skipped): string => (missing === null ? reason : `${reason}:${missing}`)
export const readSkip = (kept: string): Skipped => {
  const [reason = kept] = kept.split(':', 1)
  return {
    reason: skipped.shape.reason.parse(reason),
    missing: reason === kept ? null : kept.slice(reason.length + 1),
  }
}
