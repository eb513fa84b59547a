import type { MailServer } from '@balcao/contract/platform/mail-server.ts'
import { eq } from 'drizzle-orm'
import { type Tx, withPlatform, withTenant } from '../../../db/database.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { env } from '../../../env.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { platformTenant } from '../../core/integrations/gateways.ts'
import {
  type IntegrationRow,
  integrationConfig,
  testIntegration,
} from '../../core/integrations/integrations.service.ts'
import { deleteSingle, findSingle, saveSingle } from '../../core/integrations/single.ts'
import { inTenant, writePlatformAudit } from '../../core/platform-audit/platform-audit.ts'

const kind = 'smtp'

/** The account of the installation is company 0's: mails find it there (people/mail/transport.ts). */
export const getMailServer = async (): Promise<MailServer> => {
  const row = await withTenant(platformTenant, (tx) => findSingle(tx, kind))
  return {
    account: row
      ? {
          config: shownConfig(row),
          state: row.state,
          stateText: row.stateText,
          checkedAt: row.checkedAt?.toISOString() ?? null,
        }
      : null,
    hasOther: env.SMTP_URL !== undefined,
  }
}

export const saveMailServer = async (actor: Actor, config: Record<string, unknown>): Promise<MailServer> => {
  await change(actor, 'mailServer.updated', async (there) => {
    const { before, after } = await saveSingle(there, { kind, name: 'E-mail da instalação' }, config)
    return { before: before && shownConfig(before), after: shownConfig(after) }
  })
  return getMailServer()
}

export const removeMailServer = (actor: Actor): Promise<void> =>
  change(actor, 'mailServer.deleted', async (there) => {
    const row = await findSingle(there, kind)
    if (!row) throw new AppError('ERR_NOT_FOUND')
    await deleteSingle(there, row)
    return { before: shownConfig(row) }
  })

export const testMailServer = async () => {
  const row = await withTenant(platformTenant, (tx) => findSingle(tx, kind))
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return testIntegration(platformTenant, row.id)
}

/** With its audit; two who change it do it one after the other. */
const change = (actor: Actor, action: string, work: (there: Tx) => Promise<Record<string, unknown>>) =>
  withPlatform('mail-server', async (tx) => {
    await tx.db.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, platformTenant)).for('update')
    const details = await work(inTenant(tx, platformTenant))
    await writePlatformAudit(tx, { userId: actor.userId, tenantId: platformTenant, action, details })
  })
const shownConfig = ({ config }: IntegrationRow) => integrationConfig[kind].hide(config)
