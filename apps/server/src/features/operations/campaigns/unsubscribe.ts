import { env } from '../../../env.ts'
import { isSame, sign } from '../../../kit/crypto.ts'

const signature = (tenantId: number, recipientId: string) => sign('unsubscribe', `${tenantId}:${recipientId}`)

/** Where whoever got an e-mail of a campaign asks for no more of them, without a log-in. */
export const unsubscribeUrl = (tenantId: number, recipientId: string): string =>
  `${env.PUBLIC_URL}/api/unsubscribe/${tenantId}.${recipientId}.${signature(tenantId, recipientId)}`

/** Whose address it is; undefined unless we made it. */
export const readUnsubscribe = (token: string): { tenantId: number; recipientId: string } | undefined => {
  const [tenant = '', recipientId = '', given = ''] = token.split('.')
  const tenantId = Number(tenant)
  if (!Number.isInteger(tenantId) || !isSame(signature(tenantId, recipientId), given)) return undefined
  return { tenantId, recipientId }
}
