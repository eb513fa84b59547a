import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { env } from '../../../env.ts'
import { takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { queueMail } from '../../people/mail/outbox.ts'
import { canMailCompany } from '../../people/mail/transport.ts'

const atOnce = 20
const lastsMinutes = 15
const dayMs = 24 * 3_600_000
/** Broken from the start, or lost since: its texts may change meanwhile. */
const since = `coalesce(lost_at, case when status = 'ERROR' then status_at end)`
const dueNow = `deleted_at is null and stopped_at is null
  and ${since} < now() - interval '${lastsMinutes} minutes' and (alarmed_at is null or alarmed_at < ${since})`
export const isAlarmDue = `select from connections where ${dueNow}`

type Broken = { tenantId: number; id: string; name: string; statusText: string | null }
/** A channel that has not worked for a quarter of an hour: those who may mend it are written to, once. */
export const alarmDue = async (): Promise<Round> => {
  const due = await platformRows<Broken>(claim, [atOnce])
  for (const one of due) await writeTo(one)
  return { did: due.length, isMore: due.length === atOnce }
}
const claim: Prepared = {
  name: 'connection_alarm_claim',
  text: takeDue({
    table: 'connections',
    key: ['tenant_id', 'id'],
    where: dueNow,
    order: 'status_at',
    set: 'alarmed_at = now()',
    returning: 'q.tenant_id as "tenantId", q.id, q.name, q.status_text as "statusText"',
  }),
}

const writeTo = async ({ tenantId, id, name, statusText }: Broken) => {
  if (!(await canMailCompany(tenantId))) return
  const { people } = await getDirectory(tenantId)
  const told = [...people.values()].filter((person) => !person.isBlocked && person.permissions.has('connections.write'))
  await withTenant(tenantId, async (tx) => {
    const emails = await tx.rows<{ id: string; email: string }>(emailsOf, [tenantId, told.map((person) => person.id)])
    for (const { id: userId, email } of emails)
      await queueMail(tx, {
        kind: 'alarm',
        to: email,
        userId,
        livesMs: dayMs,
        subject: `O canal ${name} parou`,
        paragraphs: [
          `O canal ${name} não está atendendo há mais de ${lastsMinutes} minutos.`,
          statusText ?? 'Abra o canal para ver o que houve.',
        ],
        link: { label: 'Abrir o canal', url: `${env.PUBLIC_URL}/sessoes?registro=${id}` },
        closing: 'Você recebe este aviso porque cuida dos canais da empresa.',
      })
  })
}
const emailsOf: Prepared = {
  name: 'connection_alarm_emails',
  text: 'select id, email from users where tenant_id = $1 and id = any($2::uuid[])',
}
