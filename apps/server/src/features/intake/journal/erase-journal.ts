import type { Prepared, Tx } from '../../../db/database.ts'
import { formsOfPhone } from '../../../kit/phone-numbers.ts'
import type { Erased } from '../../contacts/contacts/erase.ts'

/**
 * What could not be handled or understood is kept until somebody looks at it: of somebody who is to be forgotten only that it
 * came, so that it is not taken in anew. What was handled goes by itself.
 */
export const eraseJournaled = async (tx: Tx, { keys }: Erased) => {
  const named = keys.map((key) => key.slice(key.indexOf(':') + 1)).flatMap(formsOfPhone)
  const sure = [...new Set(named)].filter((value) => value.length >= shortest)
  if (sure.length) await tx.rows(erase, [tx.tenantId, `(^|\\W)(${sure.map(literal).join('|')})(?!\\w)`])
}
/** Shorter ones stand for anything. */
const shortest = 6
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const erase: Prepared = {
  name: 'journal_erase',
  text: `update journal set payload = '{}', state = 'done', conversation = null, error = 'O contato foi excluído.'
    where tenant_id = $1 and state in ('unknown', 'failed') and payload::text ~* $2`,
}
