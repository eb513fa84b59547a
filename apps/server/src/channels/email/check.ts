import type { Health } from '../adapter.ts'
import { adviceFor } from './advice.ts'
import { folderFor, inMailbox } from './imap.ts'
import { type Context, serverOf } from './servers.ts'

const everyMs = 60 * 60_000
const known = new Map<string, { until: number; health: Promise<Health> }>()

/** Asked every half minute, and looked at every hour: what the domain lacks, and what lies in the spam folder. */
export const checkMailbox = (context: Context): Promise<Health> => {
  const { connectionId, config } = context
  const key = `${connectionId}:${config.address}:${config.login}:${config.smtpHost ?? ''}`
  const found = known.get(key)
  if (found && found.until > Date.now()) return found.health
  const health = look(context)
  if (known.size > 5_000) known.clear()
  known.set(key, { until: Date.now() + everyMs, health })
  return health
}

/** What cannot be found out now is not said; that the mailbox does not answer, its session tells. */
const look = async (context: Context): Promise<Health> => {
  const [, domain = ''] = context.config.address.split('@')
  const advice = async () => adviceFor({ domain, smtpHost: serverOf(context, 'smtp').host }, context.egress.txt)
  const [told, inJunk] = await Promise.all([advice().catch(() => []), junkOf(context).catch(() => undefined)])
  return { problem: null, ...(told.length && { advice: told }), ...(inJunk && { inJunk }) }
}

const junkOf = (context: Context) =>
  inMailbox(context, async (client) => {
    const path = await folderFor(client, '\\Junk')
    const status = path !== undefined && (await client.status(path, { messages: true }))
    return status ? status.messages : undefined
  })
