import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { openOwn } from '../../channels/connections/running.ts'
import { emitContact } from '../../contacts/contacts/contacts.events.ts'
import { wantNewPicture } from './pictures.ts'

/** Initials stand there again, until the person is asked for anew. */
export const removePicture = (actor: Actor, contactId: string): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    await tx.rows(dropFile, [tx.tenantId, contactId])
    const [shown] = await tx.rows<Pick<Contact, 'id' | 'name' | 'profilePicUrl' | 'version'>>(hide, [
      tx.tenantId,
      contactId,
    ])
    if (shown) await emitContact(tx, shown)
  })
const dropFile: Prepared = {
  name: 'picture_drop',
  text: 'update pictures set file_id = null, due_at = null, asked_at = now() where tenant_id = $1 and contact_id = $2',
}
const hide: Prepared = {
  name: 'picture_hide',
  text: `update contacts set profile_pic_url = null, version = version + 1, updated_at = now()
    where tenant_id = $1 and id = $2 and profile_pic_url is not null returning id, name, profile_pic_url as "profilePicUrl", version`,
}

/** Asked for now, whenever it was asked for last; it comes within seconds. */
export const askPicture = async (
  actor: Actor,
  { contactId, whatsappId }: { contactId: string; whatsappId: string },
) => {
  const { row, adapter } = await openOwn(actor, whatsappId)
  if (!adapter.profile) throw new AppError('ERR_VALIDATION', { message: 'Este canal não mostra fotos de perfil.' })
  await withTenant(actor.tenantId, (tx) => wantNewPicture(tx, { id: row.id, adapter }, contactId))
}
