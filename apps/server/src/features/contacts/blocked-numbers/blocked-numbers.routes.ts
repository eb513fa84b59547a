import { blockedNumberResource, mostBlockedNumbers } from '@balcao/contract/contacts/blocked-numbers.ts'
import { blockedNumbers } from '../../../db/schema/contacts/blocked-numbers.ts'
import { crud } from '../../../kit/crud.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { parsePhone } from '../contacts/phone.ts'

export const blockedNumberRoutes = crud(blockedNumberResource, {
  table: blockedNumbers,
  search: [blockedNumbers.number, blockedNumbers.reason],
  beforeWrite: async (tx, { before, input }) => {
    if (!before && (await tx.db.$count(blockedNumbers)) >= mostBlockedNumbers)
      throw fieldErrors({ path: 'number', message: `A lista já tem ${mostBlockedNumbers} números. Tire um antes.` })
    if (input.number === undefined) return {}
    const number = parsePhone(input.number)
    if (!number) throw fieldErrors({ path: 'number', message: 'Confira o número: DDD e telefone.' })
    return { number }
  },
  afterCommit: invalidateDirectory,
})
