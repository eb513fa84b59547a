import type { groupScheduleBody } from '@balcao/contract/operations/group-acts.ts'
import type { GroupRow } from '@balcao/contract/operations/group-list.ts'
import { v5, v7 } from 'uuid'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { scheduleForMany } from '../schedules/schedules.service.ts'
import { meantGroups } from './groups.list.ts'

const mostAtOnce = 1_000

/**
 * One message to each of the groups meant, all in one transaction; answers how many. The ids of the messages follow from
 * the request's, so one that is sent again schedules nothing twice.
 */
export const scheduleToGroups = (
  actor: Actor,
  { id = v7(), ids, all, ...said }: z.output<typeof groupScheduleBody>,
): Promise<number> => {
  if (!actor.permissions.has('groups.read')) throw new AppError('ERR_NO_PERMISSION')
  return withTenant(actor.tenantId, async (tx) => {
    const groups = await meantGroups(tx, all ? { all: { ...all, withLeft: false } } : { ids })
    if (!groups.length) throw fieldErrors({ path: 'ids', message: 'Escolha ao menos um grupo.' })
    if (groups.length > mostAtOnce)
      throw fieldErrors({ path: 'ids', message: 'Agende para no máximo 1.000 grupos de cada vez.' })
    const targets = onceEach(groups).map(({ id: rowId, groupId, connection }) => ({
      ...{ id: v5(rowId, id), contactId: groupId, connectionId: connection.id },
    }))
    return scheduleForMany(tx, actor, targets, said)
  })
}

/** A group that two of our numbers are in hears it once: from the one that may write there, else from the first. */
const onceEach = (groups: GroupRow[]): GroupRow[] => {
  const mayWrite = ({ isAdminsOnly, ourRole }: GroupRow) => !isAdminsOnly || ourRole !== 'member'
  return [...Map.groupBy(groups, ({ groupId }) => groupId).values()].flatMap(
    (ways) => ways.find(mayWrite) ?? ways[0] ?? [],
  )
}
