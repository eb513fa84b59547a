import type { Connection } from '@balcao/contract/channels/connections.ts'
import type { Login } from '../../../channels/adapter.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { seal, unseal } from '../../../kit/crypto.ts'
import { emit } from '../../../kit/outbox.ts'

/** How long a code stands on a screen where its provider does not say. */
const usualSeconds = 60

/** Shown to those who may write connections, for as long as it lasts; null: it has been used, or is over. */
export const tellLogin = (tenantId: number, connectionId: string, code: Login | null) =>
  withTenant(tenantId, async (tx) => {
    const sealed = code && seal(JSON.stringify(code), loginOf(connectionId))
    const [changed] = await tx.rows<{ until: Date | null }>(keep, [
      tenantId,
      connectionId,
      sealed,
      code?.lastsSeconds ?? usualSeconds,
    ])
    if (!changed) return
    const told = {
      id: connectionId,
      qrcode: code?.qr ?? null,
      pairingCode: code?.pairingCode ?? null,
      loginUntil: changed.until?.toISOString() ?? null,
    }
    await emit(tx, 'connection.login', told, { kind: 'permission', can: 'connections.write' })
  })
const keep: Prepared = {
  name: 'session_login_keep',
  text: `update connections set login_code = $3, login_until = case when $3::text is null then null else now() + make_interval(secs => $4) end
    where tenant_id = $1 and id = $2 and (login_code is not null or $3::text is not null) returning login_until as until`,
}

type Kept = { id: string; loginCode: string | null; loginUntil: Date | null }
const loginOf = (connectionId: string) => `${connectionId} login`

/** The code that stands now. */
export const readLogin = (row: Kept): Pick<Connection, 'qrcode' | 'pairingCode' | 'loginUntil'> => {
  const { loginCode, loginUntil } = row
  if (!loginCode || !loginUntil || loginUntil.getTime() < Date.now())
    return { qrcode: null, pairingCode: null, loginUntil: null }
  const { qr, pairingCode }: Login = JSON.parse(unseal(loginCode, loginOf(row.id)))
  return { qrcode: qr ?? null, pairingCode: pairingCode ?? null, loginUntil: loginUntil.toISOString() }
}
