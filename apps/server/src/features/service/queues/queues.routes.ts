import { distributionLabels, queueResource } from '@balcao/contract/service/queues.ts'
import { and, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { users } from '../../../db/schema/people/users.ts'
import { queueMembers, queues } from '../../../db/schema/service/queues.ts'
import { counted } from '../../../kit/counted.ts'
import { crud } from '../../../kit/crud.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { serveChannels } from '../../channels/connections/connections.service.ts'
import { markDeadlinesStale } from '../../conversations/deadlines/mark-stale.ts'
import { wakeDistribution } from '../../conversations/tickets/wake-distribution.ts'
import { getDirectory, invalidateDirectory, requireFlow } from '../../core/directory/directory.ts'
import { handOverQueueTexts } from './hand-over-texts.ts'

export const queueRoutes = crud(queueResource, {
  table: queues,
  search: [queues.name],
  csv: [
    { label: 'Nome', value: (queue) => queue.name },
    { label: 'Cor', value: (queue) => queue.color },
    { label: 'Ativa', value: (queue) => queue.isActive },
    { label: 'Atendentes', value: (queue) => queue.memberIds.length },
    { label: 'Distribuição', value: (queue) => distributionLabels[queue.distribution] },
    { label: 'Criada em', value: (queue) => queue.createdAt },
  ],
  inUse: {
    tickets: {
      code: 'ERR_QUEUE_TICKET_EXISTS',
      says: (uses) => `Esta fila tem ${counted(uses, 'conversa', 'conversas')}. Desative-a ou mude isso antes.`,
    },
  },
  beforeWrite: async (tx, { input }) => {
    requireFlow(await getDirectory(tx.tenantId), input.chatFlowId)
    return {}
  },
  afterWrite: async (tx, { id, input, isNew }) => {
    if (isNew) await serveChannels(tx, id)
    if (input.memberIds) await replaceMembers(tx, id, [...new Set(input.memberIds)])
    if (input.businessHours) await markDeadlinesStale(tx)
    wakeDistribution(tx)
  },
  beforeDelete: (_actor, { id }, tx) => handOverQueueTexts(tx, id, null),
  present: async (tx, rows) => {
    const members = await membersOf(
      tx,
      rows.map((row) => row.id),
    )
    return rows.map((row) => ({ ...row, memberIds: members.get(row.id) ?? [] }))
  },
  afterCommit: invalidateDirectory,
})

/** Who stays keeps their turn. */
const replaceMembers = async (tx: Tx, queueId: string, userIds: string[]) => {
  const { tenantId } = tx
  const ofQueue = and(eq(queueMembers.tenantId, tenantId), eq(queueMembers.queueId, queueId))
  await tx.db.delete(queueMembers).where(and(ofQueue, notInArray(queueMembers.userId, userIds)))
  if (userIds.length === 0) return
  const working = await tx.db
    .select({ userId: users.id })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), inArray(users.id, userIds), isNull(users.deletedAt)))
  if (working.length < userIds.length) {
    throw fieldErrors({ path: 'memberIds', message: 'Um dos atendentes escolhidos não existe mais.' })
  }
  await tx.db
    .insert(queueMembers)
    .values(working.map(({ userId }) => ({ tenantId, queueId, userId })))
    .onConflictDoNothing()
}

const membersOf = async (tx: Tx, queueIds: string[]) => {
  const rows = await tx.db
    .select({
      queueId: queueMembers.queueId,
      userIds: sql<string[]>`array_agg(${queueMembers.userId} order by ${queueMembers.userId})`,
    })
    .from(queueMembers)
    .where(and(eq(queueMembers.tenantId, tx.tenantId), inArray(queueMembers.queueId, queueIds)))
    .groupBy(queueMembers.queueId)
  return new Map(rows.map((row) => [row.queueId, row.userIds]))
}
