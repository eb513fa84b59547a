import { type Prepared, platformRows } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import { leased, takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { compose } from './compose.ts'
import { openContent } from './outbox.ts'
import { describeTrouble, isDead, isRefusal, openTransport, type Transport } from './transport.ts'

const batch = 20
const leaseS = 180
/** Pauses before each further attempt, in seconds; the last goes on. */
const pausesS = [5, 30, 120, 600, 1_800, 3_600, 7_200]

type Due = { tenantId: number; id: string; to: string; content: string; messageId: string; attempts: number }

const dueNow = `state = 'queued' and attempt_at <= now()`
export const isMailDue = `select from mails where ${dueNow}`

/** Sends what waits, company by company over its own transport. Several processes may do so: each row is taken by one. */
export const sendDueMails = async (): Promise<Round> => {
  await platformRows(giveUp, [])
  const due = await platformRows<Due>(take, [batch, leaseS])
  for (const [tenantId, own] of Map.groupBy(due, (mail) => mail.tenantId)) {
    const transport = await openTransport(tenantId)
    let dead = transport ? undefined : 'Nenhum servidor de e-mail configurado.'
    for (const mail of own) {
      if (transport && !dead) dead = await attempt(mail, transport)
      else await platformRows(postpone, [tenantId, mail.id, dead, pauseAfter(mail)])
    }
    transport?.close()
  }
  return { did: due.length, isMore: due.length === batch }
}

const pauseAfter = ({ attempts }: Due) => pausesS[Math.min(attempts, pausesS.length) - 1]

/** What became of one mail is written down; answers why the transport is of no use for the others, where it is not. */
const attempt = async (mail: Due, transport: Transport): Promise<string | undefined> => {
  const { tenantId, id, to, messageId, attempts } = mail
  try {
    await transport.send(compose(openContent(mail), to, messageId))
    await platformRows(settle, [tenantId, id, 'sent', null])
    return undefined
  } catch (error) {
    const trouble = describeTrouble(error)
    log.warn({ tenantId, mailId: id, attempts, code: Reflect.get(Object(error), 'code') }, 'mail not sent')
    if (isRefusal(error)) await platformRows(settle, [tenantId, id, 'refused', trouble])
    else await platformRows(postpone, [tenantId, id, trouble, pauseAfter(mail)])
    return isDead(error) ? trouble : undefined
  }
}

const giveUp: Prepared = {
  name: 'mails_give_up',
  text: `update mails set state = 'failed', content = null, error = coalesce(error, 'O prazo acabou antes do envio.')
    where state = 'queued' and expires_at < now()`,
}
const take: Prepared = {
  name: 'mails_take',
  text: takeDue({
    table: 'mails',
    key: ['tenant_id', 'id'],
    where: dueNow,
    order: 'attempt_at',
    set: leased('attempt_at'),
    returning: 'q.tenant_id as "tenantId", q.id, q."to", q.content, q.message_id as "messageId", q.attempts',
  }),
}
const settle: Prepared = {
  name: 'mail_settle',
  text: `update mails set state = $3, error = $4, content = null, sent_at = case when $3 = 'sent' then now() end
    where tenant_id = $1 and id = $2 and state = 'queued'`,
}
const postpone: Prepared = {
  name: 'mail_postpone',
  text: `update mails set error = $3, attempt_at = now() + make_interval(secs => $4)
    where tenant_id = $1 and id = $2 and state = 'queued'`,
}
