import { mailboxKinds } from '@balcao/contract/core/integrations/index.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { accessTokenOf } from './grants.ts'
import { findIntegration } from './integrations.queries.ts'
import { configOf } from './integrations.service.ts'

const servers = z.object({ host: z.string(), port: z.int(), imapHost: z.string(), imapPort: z.int() })

/** A mail account of the company whose owner consents to its use: where its mail is, and what opens it. */
export const mailAccountOf = async (tenantId: number, id: string) => {
  const row = await withTenant(tenantId, (tx) => findIntegration(tx, id))
  if (!row || !mailboxKinds.includes(row.kind)) throw new AppError('ERR_NOT_FOUND')
  const { host, port, imapHost, imapPort } = servers.parse(configOf(row))
  return {
    imap: { host: imapHost, port: imapPort, security: imapPort === 143 ? 'starttls' : 'tls' },
    smtp: { host, port, security: port === 465 ? 'tls' : 'starttls' },
    accessToken: () => accessTokenOf(row),
  } as const
}
