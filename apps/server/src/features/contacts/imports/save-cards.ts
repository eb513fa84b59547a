import { Readable } from 'node:stream'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { contactWrite } from '@balcao/contract/contacts/contacts.ts'
import type { Actor } from '../../../kit/actor.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { createContact, findContactsByNumber } from '../contacts/contacts.service.ts'
import { interpret } from './interpret.ts'
import { suggestMapping } from './reading/headings.ts'
import { cardHeadings, cardsIn } from './reading/vcard.ts'

const mostCards = 50
const mapping = suggestMapping({ headings: cardHeadings, columns: cardHeadings.length, sample: [] }, [])
const words = { fields: new Map(), tags: new Map(), lanes: new Map(), people: new Map(), mayCreateTags: false }

/** Cards somebody was sent become contacts; who has one of their phones is that contact already, and stays as it is. */
export const saveCards = async (actor: Actor, vcard: string): Promise<{ contact: Contact; isNew: boolean }[]> => {
  const saved: { contact: Contact; isNew: boolean }[] = []
  for await (const { cells } of cardsIn(Readable.from([vcard]))) {
    if (saved.length === mostCards)
      throw fieldErrors({ path: 'vcard', message: `Envie no máximo ${mostCards} cartões.` })
    const { fields } = interpret(cells, mapping, words)
    const [number, ...phones] = (fields.phones ?? []).map((phone) => `+${phone}`)
    if (!number && !fields.email) continue
    const [known] = number ? (await findContactsByNumber(actor, number)).items : []
    const { name, email, businessName, birthdayDate, notes, address } = fields
    const given = { name: name ?? number ?? email, number, phones, email, businessName, birthdayDate, notes, address }
    saved.push(
      known
        ? { contact: known, isNew: false }
        : { contact: await createContact(actor, contactWrite.parse(given)), isNew: true },
    )
  }
  if (!saved.length)
    throw fieldErrors({ path: 'vcard', message: 'O vCard não tem nenhum contato com telefone ou e-mail.' })
  return saved
}
