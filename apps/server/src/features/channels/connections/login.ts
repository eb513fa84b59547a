import { type Prepared, withTenant } from '../../../db/database.ts'
import { seal, unseal } from '../../../kit/crypto.ts'
import { emit } from '../../../kit/outbox.ts'

/** What links a phone to us: whoever sees it can take the account over. */
export type LoginCode = { qr?: string; pairingCode?: string }

/** How long a code stands on a screen before it is no longer worth showing. */
const lifeS = 90

/** Shown to those who may write connections, for as long as it lasts; null: it has been used, or is over. */
export const tellLogin = (tenantId: number, connectionId: string, code: LoginCode | null) =>
  withTenant(tenantId, async (tx) => {
    const sealed = code && seal(JSON.stringify(code), loginOf(connectionId))
    const [changed] = await tx.rows<object>(keep, [tenantId, connectionId, sealed, lifeS])
    if (!changed) return
    const told = { id: connectionId, qrcode: code?.qr ?? null, pairingCode: code?.pairingCode ?? null }
    await emit(tx, 'connection.login', told, { kind: 'permission', can: 'connections.write' })
  })
const keep: Prepared = {
  name: 'session_login_keep',
  text: `update connections set login_code = $3, login_until = case when $3::text is null then null else now() + make_interval(secs => $4) end
    where tenant_id = $1 and id = $2 and (login_code is not null or $3::text is not null) returning id`,
}

const loginOf = (connectionId: string) => `${connectionId} login`

/** The code that stands now. */
export const readLogin = (row: { id: string; loginCode: string | null; loginUntil: Date | null }): LoginCode => {
  if (!row.loginCode || !row.loginUntil || row.loginUntil.getTime() < Date.now()) return {}
  return JSON.parse(unseal(row.loginCode, loginOf(row.id)))
}
