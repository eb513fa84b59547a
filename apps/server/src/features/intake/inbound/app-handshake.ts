import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { platformRows } from '../../../db/database.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'

/** A whole Meta app registers one address: the connection is found by the word its company chose. */
export const findByVerifyToken = async (kind: ChannelKind, verifyToken: string) => {
  if (verifyToken.length < 6) return undefined
  const [row] = await platformRows<{ id: string }>(
    {
      name: 'connection_by_verify_token',
      text: `select id from connections where kind = $1 and config ->> 'verifyToken' = $2 and deleted_at is null limit 1`,
    },
    [kind, verifyToken],
  )
  return row && findConnection(row.id)
}

/** The proven connections of one WhatsApp Business account: one per number. */
export const findByWabaId = async (wabaId: string): Promise<OpenConnection[]> => {
  const rows = await platformRows<{ id: string }>(
    {
      name: 'connections_by_waba_id',
      text: `select id from connections where kind = 'waba' and config ->> 'wabaId' = $1 and external_id is not null
        and deleted_at is null limit 50`,
    },
    [wabaId],
  )
  // One whose config can no longer be read must not keep the others from hearing.
  const found = await Promise.all(rows.map(({ id }) => findConnection(id).catch(() => undefined)))
  return found.filter((one) => one !== undefined)
}
