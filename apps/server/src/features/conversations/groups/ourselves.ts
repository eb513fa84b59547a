import type { Prepared, Tx } from '../../../db/database.ts'
import { foldPhone } from '../../../kit/phone-numbers.ts'
import { keysOf } from '../../contacts/groups/members.ts'

/** By what the members of a group call this connection. */
export type Ourselves = { keys: string[]; handle: string | null; name: string | null }

export const findOurselves = async (tx: Tx, connectionId: string): Promise<Ourselves> => {
  const [row] = await tx.rows<{
    kind: string
    externalId: string | null
    number: string | null
    lid: string | null
    handle: string | null
    name: string | null
  }>(ourselves, [tx.tenantId, connectionId])
  const { number, lid, kind, externalId } = row ?? {}
  const keys = [
    ...(number ? keysOf([{ kind: 'phone', value: foldPhone(number.replace(/\D/g, '')) }]) : []),
    ...(lid ? [`lid:${lid}`] : []),
    ...(kind && externalId ? [`${kind}:${externalId}`] : []),
  ]
  return { keys, handle: row?.handle?.toLowerCase() ?? null, name: row?.name ?? null }
}
const ourselves: Prepared = {
  name: 'connection_ourselves',
  text: `select kind, external_id as "externalId", account->>'number' as number, account->>'lid' as lid, account->>'handle' as handle,
      account->>'name' as name
    from connections where tenant_id = $1 and id = $2`,
}
