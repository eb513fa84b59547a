import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { v5, v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { resolveContact } from '../../contacts/contacts/identify.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { type Addressed, addressedColumns, writeTo } from '../schedules/write-due.ts'

type Invited = {
  connection: OpenConnection
  directory: Directory
  person: Identity[]
  group: string
  inviteUrl: string
  rowId: string
}
/** Who lets nobody add them to a group gets its link, as any message of ours, once for each act; answers why it could not go. */
export const sendInvitation = async (
  tx: Tx,
  { connection, directory, person, group, inviteUrl, rowId }: Invited,
): Promise<string | null> => {
  const { contactId } = await resolveContact(tx, { identities: person })
  const [contact] = await tx.rows<Pick<Addressed, 'walletIds' | 'windowFrom' | 'contact'>>(addressee, [
    tx.tenantId,
    contactId,
    connection.id,
  ])
  if (!contact) return 'o contato não foi encontrado.'
  const row: Addressed = {
    ...contact,
    ...{ id: v7(), contactId, connectionId: connection.id, purpose: 'service', mediaId: null, createdBy: null },
    body: `Olá! Você foi convidado para o grupo “${group}”. Para entrar, toque no link: ${inviteUrl}`,
    dueAt: new Date(),
  }
  const way = { messageId: v5(`convite:${contactId}`, rowId), cause: 'bot' as const, rule: 'Convite de grupo' }
  const written = await writeTo(tx, { connection, directory, row, way })
  if (written === 'held') return 'esta pessoa está em atendimento em outro canal.'
  return written.error ?? null
}
const addressee: Prepared = {
  name: 'group_invitation_addressee',
  text: `select ${addressedColumns} from (select $1::int as tenant_id, $2::uuid as contact_id, $3::uuid as connection_id) s
    join contacts c on c.tenant_id = s.tenant_id and c.id = s.contact_id`,
}
