import { channels } from '@balcao/contract/channels/index.ts'
import { templateStatusLabels } from '@balcao/contract/channels/template-text.ts'
import type { PauseCode } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { connections, messageTemplates } from '../../../db/schema/channels/connections.ts'
import type { StoredCampaign } from './campaigns.present.ts'

export type Sign = { code: PauseCode; text: string }

/** So long a channel may be away before what waits for it stops. */
const awayMs = 2 * 60_000

/** What a campaign's providers say that keeps it from going on, in Portuguese; undefined: nothing. */
export const signOf = async (tx: Tx, row: StoredCampaign, now = new Date()): Promise<Sign | undefined> => {
  const ways = await tx.db
    .select()
    .from(connections)
    .where(and(eq(connections.tenantId, tx.tenantId), inArray(connections.id, row.connectionIds)))
  for (const way of ways) {
    const sign = signOfWay(way, now)
    if (sign) return sign
  }
  return templateSign(tx, row)
}

type Way = Pick<
  typeof connections.$inferSelect,
  'name' | 'kind' | 'status' | 'statusText' | 'statusAt' | 'lostAt' | 'stoppedAt' | 'deletedAt' | 'health'
>
const signOfWay = (way: Way, now: Date): Sign | undefined => {
  const { name, kind, status, statusText, statusAt, lostAt, stoppedAt, deletedAt, health } = way
  if (deletedAt) return { code: 'connectionGone', text: `O canal ${name} foi excluído.` }
  const { isUnofficial = false }: { isUnofficial?: boolean } = channels[kind]
  const why = statusText ? ` ${statusText}` : ''
  if (isUnofficial && status === 'ERROR')
    return { code: 'banSigns', text: `O WhatsApp derrubou o canal ${name}.${why}` }
  const since = stoppedAt ?? lostAt ?? (status === 'CONNECTED' ? null : statusAt)
  if (since && now.getTime() - since.getTime() > awayMs)
    return { code: 'disconnected', text: `O canal ${name} está fora do ar.${why}` }
  if (health?.quality?.toUpperCase() === 'RED')
    return { code: 'quality', text: `A qualidade do número de ${name} está baixa na Meta.` }
  return undefined
}

const templateSign = async (tx: Tx, { plan, connectionIds }: StoredCampaign): Promise<Sign | undefined> => {
  const uses = plan.steps.flatMap(({ variants }) => variants.flatMap(({ content }) => content.template ?? []))
  if (!uses.length) return undefined
  const stored = await tx.db
    .select()
    .from(messageTemplates)
    .where(
      and(
        eq(messageTemplates.tenantId, tx.tenantId),
        inArray(messageTemplates.connectionId, connectionIds),
        inArray(
          messageTemplates.name,
          uses.map(({ name }) => name),
        ),
      ),
    )
  for (const { name, language } of uses) {
    const same = stored.filter((one) => one.name === name && one.language === language)
    if (!same.length) return { code: 'templateGone', text: `O modelo ${name} não existe mais na Meta.` }
    const stopped = same.find(({ status }) => status !== 'APPROVED')
    if (stopped) return templateStop(stopped)
    if (same.some(({ quality }) => quality === 'RED'))
      return { code: 'quality', text: `A Meta deu qualidade baixa ao modelo ${name}.` }
  }
  return undefined
}

/** What a template that may not be sent now means for what waits for it. */
export const templateStop = ({ name, status }: { name: string; status: string }): Sign => {
  const label = (templateStatusLabels[status] ?? status).toLowerCase()
  return {
    code: ['PAUSED', 'IN_APPEAL', 'PENDING', 'LIMIT_EXCEEDED'].includes(status) ? 'templatePaused' : 'templateGone',
    text: `O modelo ${name} está ${label} na Meta.`,
  }
}
