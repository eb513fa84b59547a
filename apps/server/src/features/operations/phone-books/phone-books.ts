import type { ContactImport } from '@balcao/contract/contacts/imports.ts'
import { ChannelError, type Listed } from '../../../channels/adapter.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import { openOwn } from '../../channels/connections/running.ts'
import { resolveContact } from '../../contacts/contacts/identify.ts'
import { beginImport, checkImport } from '../../contacts/imports/imports.service.ts'

/** Whoever the phone of a channel knows by number becomes a contact, as an import that can be taken back. */
export const syncContacts = async (actor: Actor, connectionId: string): Promise<ContactImport> => {
  const { name, listed } = await readBook(actor, connectionId, 'people')
  const rows = listed.flatMap(({ identities, name }, at): [number, string[]][] => {
    const phone = identities.find(({ kind }) => kind === 'phone')
    return phone ? [[at + 1, [name ?? '', `+${phone.value}`]]] : []
  })
  if (!rows.length) throw new AppError('ERR_CONFLICT', { message: 'A agenda deste canal está vazia.' })
  const made = await beginImport(
    actor,
    {
      ...{ source: 'phonebook', name: `Agenda de ${name}`, reading: null, size: null, sha256: null },
      ...{
        headings: ['Nome', 'Telefone'],
        columns: 2,
        total: rows.length,
        hasHeadings: false,
        mapping: ['name', 'phone'],
      },
    },
    pages(rows),
  )
  return checkImport(actor, made.id, { isAutomatic: true })
}

const atOnce = 1_000
function* pages<Row>(rows: Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += atOnce) yield rows.slice(at, at + atOnce)
}

const groupsAtOnce = 50
/** Every group the phone of a channel is in becomes known here, by its name. */
export const syncGroups = async (actor: Actor, connectionId: string): Promise<{ created: number; known: number }> => {
  const { name, listed } = await readBook(actor, connectionId, 'groups')
  const counts = { created: 0, known: 0 }
  for (let at = 0; at < listed.length; at += groupsAtOnce) {
    const made = await withTenant(actor.tenantId, async (tx) => {
      const outcomes: boolean[] = []
      for (const { identities, name } of listed.slice(at, at + groupsAtOnce))
        outcomes.push((await resolveContact(tx, { identities, name, isGroup: true })).isNew)
      return outcomes
    })
    counts.created += made.filter(Boolean).length
    counts.known += made.filter((isNew) => !isNew).length
  }
  await withTenant(actor.tenantId, (tx) =>
    writeAudit(tx, actor, {
      ...{ action: 'connection.groupsSynced', entity: 'connection', entityId: connectionId },
      after: { name, ...counts },
    }),
  )
  return counts
}

const readBook = async (
  actor: Actor,
  connectionId: string,
  of: 'people' | 'groups',
): Promise<{ name: string; listed: Listed[] }> => {
  const { row, adapter, context } = await openOwn(actor, connectionId)
  if (!adapter.phoneBook)
    throw new AppError('ERR_VALIDATION', { message: 'Este canal não mostra a agenda do telefone.' })
  if (row.status === 'DISCONNECTED')
    throw new AppError('ERR_CHANNEL_REFUSED', { message: 'Este canal não está conectado. Conecte-o antes.' })
  try {
    return { name: row.name, listed: await adapter.phoneBook({ of }, context) }
  } catch (error) {
    if (error instanceof ChannelError) throw new AppError('ERR_CHANNEL_REFUSED', { message: error.textForCaller })
    throw error
  }
}
