import { abilitiesOf, type ChannelKind, channelKinds } from '@balcao/contract/channels/index.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { log } from '../../../kit/log.ts'
import { announce } from '../../../kit/signals/signals.ts'
import type { Round } from '../../../kit/workers.ts'
import { markConnection } from '../connections/connections.service.ts'
import { findConnection } from '../connections/context.ts'
import { askNow, claimDue, type DueConnection, doneForToday } from './templates.queries.ts'
import { syncTemplates } from './templates.service.ts'

const hasTemplates = (kind: ChannelKind) => abilitiesOf(kind, {}).supports.includes('template')
const kinds = channelKinds.filter(hasTemplates)

/** The templates of this connection are to be asked for again: soon, by whichever process has the time. */
export const requestTemplateSync = async ({
  tenantId,
  id,
  kind,
}: {
  tenantId: number
  id: string
  kind: ChannelKind
}) => {
  if (!hasTemplates(kind)) return
  await askNow(tenantId, id)
  announce('templates.wanted')
}

/**
 * Keeps every connection's templates as the provider has them: daily, and whenever somebody or the provider asks. What
 * fails is tried again when its claim has run out.
 */
export const syncDue = async (): Promise<Round> => {
  const due = await claimDue(kinds)
  await Promise.all(due.map(attempt))
  return { did: due.length }
}

const attempt = async (due: DueConnection) => {
  try {
    const connection = await findConnection(due.id)
    if (!connection) return
    await syncTemplates(connection)
    await doneForToday(due)
  } catch (error) {
    log.warn({ err: error, tenantId: due.tenantId, connectionId: due.id }, 'templates not synced')
    if (error instanceof ChannelError && error.isConnectionBroken)
      await markConnection(due.tenantId, due.id, 'ERROR', error.forAdmin.text)
  }
}
