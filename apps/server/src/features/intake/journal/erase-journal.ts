import type { Tx } from '../../../db/database.ts'
import { type Erased, eachPage, patternOf } from '../../contacts/contacts/erase.ts'

/**
 * What providers told us of somebody who is to be forgotten: of each event only that it came, so that it is not taken in
 * anew. What was not handled yet is taken in first, and forgotten with the conversation it becomes part of.
 */
export const eraseJournaled = async (tx: Tx, erased: Erased) => {
  const pattern = patternOf(erased)
  if (pattern) await eachPage(tx, pages, [pattern])
}

const pages = {
  key: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const,
  find: {
    name: 'journal_erase_page',
    text: 'select id::text as key from journal where tenant_id = $1 and id >= $2::uuid order by id offset $3 limit 1',
  },
  erase: {
    name: 'journal_erase',
    text: `update journal set payload = '{}', state = 'done', conversation = null, error = 'O contato foi excluído.'
      where tenant_id = $1 and id >= $2::uuid and id < $3::uuid and state <> 'received' and payload::text ~* $4`,
  },
}
