import type { ReceiptKind } from '@balcao/contract/channels/abilities.ts'
import {
  type Campaign,
  type CampaignRehearsal,
  type CampaignRow,
  type CampaignState,
  campaignStateLabels,
} from '@balcao/contract/operations/campaigns/campaigns.ts'
import { type CampaignStep, variantNames } from '@balcao/contract/operations/campaigns/content.ts'
import { formatCents, formatDateTime, formatNumber, plural } from '../../../kit/format.ts'
import { nowMs } from '../../../ui/server-time.ts'
import type { StatusTone } from '../../../ui/status-dot.tsx'

const stateTones: Record<CampaignState, StatusTone> = {
  draft: 'quiet',
  approval: 'waiting',
  scheduled: 'note',
  preparing: 'waiting',
  running: 'good',
  paused: 'bad',
  finished: 'good',
  canceled: 'quiet',
}

/** Still changed by whoever writes it. */
export const isBeingWritten = ({ state }: Pick<CampaignRow, 'state'>) => state === 'draft' || state === 'approval'
/** Something of it may still leave. */
export const isUnderWay = ({ state }: Pick<CampaignRow, 'state'>) =>
  ['scheduled', 'preparing', 'running', 'paused'].includes(state)

/** What was sent stays on record. */
export const isDeletable = ({ state }: Pick<CampaignRow, 'state'>) =>
  state === 'draft' || state === 'approval' || state === 'canceled'

export const stateLabelOf = ({ state, pause, hold }: Pick<CampaignRow, 'state' | 'pause' | 'hold'>) => {
  if (state === 'running' && hold) return 'Em espera'
  return state === 'paused' && pause?.code && pause.code !== 'canary' ? 'Parou sozinha' : campaignStateLabels[state]
}
export const stateToneOf = ({ state, hold }: Pick<CampaignRow, 'state' | 'hold'>): StatusTone =>
  state === 'running' && hold ? 'waiting' : stateTones[state]

/** "42,5%", of what has been sent; nothing where nothing was. */
export const percentOf = (part: number, whole: number): string =>
  whole > 0
    ? `${((part / whole) * 100).toLocaleString('pt-BR', { maximumFractionDigits: part * 10 < whole ? 1 : 0 })}%`
    : '–'

/** How many of its channels tell when a message arrived, or was read: of what nobody tells there is no number. */
export const whoTells = ({ connections }: Pick<CampaignRow, 'connections'>, receipt: ReceiptKind) => {
  const telling = connections.filter(({ receipts }) => receipts.includes(receipt)).length
  return telling === connections.length ? 'all' : telling ? 'some' : 'none'
}

/** R$ from hundredths of a cent. */
export const formatCost = (hundredths: number) => formatCents(hundredths / 100)

/** When it runs, in a few words of its row. */
export const whenOf = (campaign: CampaignRow): string => {
  const { state, pause, hold, startsAt, startedAt, finishedAt, endsAbout, numbers } = campaign
  if (finishedAt) return `até ${formatDateTime(finishedAt)}`
  if (pause) return `parada desde ${formatDateTime(pause.at)}`
  if (hold?.until) return `segue em ${formatDateTime(hold.until)}`
  // Where nobody waits, one that takes late joiners waits for whoever comes.
  if (state === 'running' && endsAbout && numbers.waiting > 0) return `previsão ${formatDateTime(endsAbout)}`
  if (startedAt) return `desde ${formatDateTime(startedAt)}`
  if (!startsAt) return ''
  return `${state === 'scheduled' ? 'começa em' : 'prevista para'} ${formatDateTime(startsAt)}`
}

/** The variables that a list of `headings` brings. */
export const columnVariables = (headings: readonly string[]) =>
  headings.filter(Boolean).map((heading) => ({ name: `extra.${heading}`, label: `Coluna ${heading}` }))

/** What starting does, in one sentence: as rehearsed, which knows the hours of sending. */
export const startSentence = (
  { connections }: Pick<Campaign, 'connections'>,
  { reached, startsAt }: Pick<CampaignRehearsal, 'reached' | 'startsAt'>,
): string => {
  const by = connections.map(({ name }) => name).join(', ')
  const who = `${formatNumber(reached)} ${reached === 1 ? 'pessoa' : 'pessoas'}`
  return Date.parse(startsAt) > nowMs()
    ? `Vai para ${who} por ${by}, a partir de ${formatDateTime(startsAt)}.`
    : `Vai para ${who} por ${by}, a partir de agora.`
}

/** Each variant of each send; `value` is how the address names it. */
export const sendsOf = ({ steps }: Pick<Campaign, 'steps'>) =>
  steps.flatMap(({ variants }, step) =>
    variants.map((_, variant) => ({
      value: `${step}.${variant}`,
      label: `Envio ${step + 1}${variants.length > 1 ? ` · variante ${variantNames[variant]}` : ''}`,
      of: [step, variant] as const,
    })),
  )

/** When a send that follows leaves, and to whom. */
export const afterText = ({ afterHours, unless }: CampaignStep): string => {
  const after =
    afterHours >= 24 && afterHours % 24 === 0
      ? plural(afterHours / 24, 'dia', 'dias')
      : plural(afterHours, 'hora', 'horas')
  const who = { answered: ', a quem não responder', read: ', a quem não ler', never: '' }[unless]
  return `Depois de ${after}${who}:`
}

/** What became of it when somebody pressed the button: it may wait for its hour, or for a second person. */
export const startedText = ({ state }: Pick<Campaign, 'state'>, isPlain = false) =>
  state === 'approval'
    ? 'Enviada para aprovação.'
    : state === 'scheduled'
      ? 'Campanha agendada.'
      : isPlain
        ? 'Envio iniciado.'
        : 'Campanha iniciada.'
