import type { Campaign, CampaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { changeLines } from '../../../kit/changes.ts'

/**
 * What was changed here, over what a colleague saved meanwhile: of what only one of the two changed, both stay. `changes`
 * names what both changed, as it was and as the colleague has it.
 */
export const mergeChanges = (
  base: Campaign,
  patch: CampaignPatch,
  theirs: Campaign,
): { patch: CampaignPatch; changes: string[] } => {
  const both: { label: string; before: unknown; after: unknown }[] = []
  const merge = (path: string, before: unknown, mine: unknown, now: unknown): unknown => {
    if (isMembers(before) && isMembers(mine) && isMembers(now))
      return Object.fromEntries(
        Object.keys({ ...now, ...mine }).map((name) => [
          name,
          merge(`${path}.${name}`, before[name], mine[name], now[name]),
        ]),
      )
    if (isSame(mine, before)) return now
    if (!isSame(now, before) && !isSame(now, mine)) both.push({ label: labels[path] ?? 'Campo', before, after: now })
    return mine
  }
  const merged = Object.entries(patch).map(([name, mine]) => [
    name,
    merge(name, Reflect.get(base, name), mine, Reflect.get(theirs, name)),
  ])
  return { patch: Object.fromEntries(merged) as CampaignPatch, changes: changeLines(both) } // the same fields as before
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const labels: Record<string, string> = {
  'pace.minSeconds': 'Menor intervalo em segundos',
  'pace.maxSeconds': 'Maior intervalo em segundos',
  'pace.dailyMost': 'Máximo por dia em cada canal',
  startsAt: 'Começar em',
  endsAt: 'Parar em',
  'window.days': 'Dias de envio',
  'window.from': 'Enviar a partir das',
  'window.until': 'Enviar até as',
  'window.skipHolidays': 'Pular feriados',
  'window.byRecipientState': 'Pela hora do estado de quem recebe',
  'answer.queueId': 'Fila',
  'answer.userId': 'Atendente',
  'answer.chatFlowId': 'Fluxo que responde',
  'answer.tagIds': 'Etiquetas',
  'answer.days': 'Vale como resposta por (dias)',
  'brake.failedPercent': 'Parar quando falharem',
  'brake.optedOutPercent': 'Parar quando pedirem para sair',
  'brake.complaintPercent': 'Parar quando reclamarem',
  'brake.atLeast': 'A partir de quantos envios',
  'brake.words': 'Palavras de reclamação',
}
