import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { checkNumbers } from '../../channels/connections/numbers.ts'
import { getContact } from '../../contacts/contacts/contacts.service.ts'
import { resolveKnown } from '../../contacts/contacts/identify.ts'

/** Asks a channel by which hidden id (LID) its network knows the contact's phone, and keeps it with the contact. */
export const updateLid = async (actor: Actor, contactId: string, whatsappId: string): Promise<Contact> => {
  const { number } = await getContact(actor, contactId)
  if (!number) throw fieldErrors({ path: 'id', message: 'O contato não tem telefone.' })
  const [found] = await checkNumbers(actor, { whatsappId, numbers: [number] })
  const lid = found?.lid
  if (lid)
    await withTenant(actor.tenantId, (tx) =>
      resolveKnown(tx, contactId, {
        identities: [
          { kind: 'phone', value: number },
          { kind: 'lid', value: lid },
        ],
      }),
    )
  return getContact(actor, contactId)
}
