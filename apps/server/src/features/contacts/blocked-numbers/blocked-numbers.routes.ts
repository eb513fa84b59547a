import { blockedNumberResource, mostBlockedNumbers } from '@balcao/contract/contacts/blocked-numbers.ts'
import type { Tx } from '../../../db/database.ts'
import { blockedNumbers } from '../../../db/schema/contacts/blocked-numbers.ts'
import { crud } from '../../../kit/crud.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { parsePhone } from '../contacts/phone.ts'
import { mirrorBlock } from './mirror.ts'

const mirrorAfter = (tx: Tx, tenantId: number, change: Parameters<typeof mirrorBlock>[1]) =>
  tx.afterCommit(
    () => void mirrorBlock(tenantId, change).catch((error) => log.warn({ err: error, tenantId }, 'block not mirrored')),
  )

export const blockedNumberRoutes = crud(blockedNumberResource, {
  table: blockedNumbers,
  search: [blockedNumbers.number, blockedNumbers.reason],
  beforeWrite: async (tx, { before, input }) => {
    if (!before && (await tx.db.$count(blockedNumbers)) >= mostBlockedNumbers)
      throw fieldErrors({ path: 'number', message: `A lista já tem ${mostBlockedNumbers} números. Tire um antes.` })
    if (input.number === undefined) return {}
    const number = parsePhone(input.number)
    if (!number) throw fieldErrors({ path: 'number', message: 'Confira o número: DDD e telefone.' })
    if (before?.number !== number) {
      mirrorAfter(tx, tx.tenantId, { number, isBlocked: true })
      if (before) mirrorAfter(tx, tx.tenantId, { number: before.number, isBlocked: false })
    }
    return { number }
  },
  beforeDelete: ({ tenantId }, { number }, tx) => mirrorAfter(tx, tenantId, { number, isBlocked: false }),
  afterCommit: invalidateDirectory,
})
