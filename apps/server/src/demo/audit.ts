import type { Tx } from '../db/database.ts'
import { audit } from '../db/schema/core/audit.ts'
import type { Company } from './companies.ts'
import type { Cast } from './seed.ts'

const day = 86_400_000

/** What the administrator did in the last weeks, as the audit tells it. */
export const seedAudit = async (tx: Tx, company: Company, cast: Cast) => {
  const { tenantId } = tx
  const [admin] = cast.people
  if (!admin) return
  const first = <T>(of: Record<string, T>) => Object.entries(of)[0] ?? []
  const [queue = '', color = ''] = first(company.queues)
  const [tag = ''] = first(company.tags)
  const [key = '', message = ''] = first(company.quick)
  const hired = cast.people.at(-1) ?? admin
  const done: Omit<typeof audit.$inferInsert, 'tenantId' | 'userId'>[] = [
    {
      at: ago(61),
      action: 'create',
      entity: 'queue',
      entityId: cast.queueIds[queue] ?? '',
      after: { name: queue, color },
    },
    {
      at: ago(57),
      action: 'create',
      entity: 'user',
      entityId: hired.id,
      after: { name: hired.name, email: `${hired.login}@${company.domain}`, profile: hired.profile },
    },
    { at: ago(40), action: 'create', entity: 'tag', entityId: cast.tagIds[tag] ?? '', after: { name: tag } },
    {
      at: ago(6),
      action: 'update',
      entity: 'quickMessage',
      entityId: key,
      before: { key, message: 'Olá! Em que posso ajudar?' },
      after: { key, message },
    },
    {
      at: ago(2),
      action: 'contact.exported',
      entity: 'contact',
      entityId: 'all',
      after: { isFiltered: false },
    },
    {
      at: ago(0.12),
      action: 'update',
      entity: 'user',
      entityId: hired.id,
      before: { name: hired.name, capacity: 20 },
      after: { name: hired.name, capacity: 25 },
    },
  ]
  await tx.db.insert(audit).values(done.map((entry) => ({ tenantId, userId: admin.id, ...entry })))
}

/** A moment ago, or in the office hours of that day in São Paulo. */
const ago = (days: number) => {
  if (days < 1) return new Date(Date.now() - days * day)
  const midnight = Math.floor((Date.now() - days * day) / day) * day
  return new Date(midnight + (12 * 60 + ((days * 137) % 540)) * 60_000)
}
