import { type ConsentEntry, consentSourceLabels, type OptOut } from '@balcao/contract/contacts/consent.ts'
import { showPhone } from '../contacts/phone.ts'

/** How somebody is known, as people read it. */
export const identityText = ({ kind, value }: OptOut['identity']): string =>
  kind === 'phone' ? showPhone(value) : kind === 'email' ? value : `${kind === 'lid' ? 'WhatsApp' : 'Código'} ${value}`

export const whoIs = ({ contact, identity }: OptOut): string => contact?.name ?? identityText(identity)

/** What shows it: “SAIR” as it was written, or who noted down what. */
export const toldBy = ({ source, proof, author }: Pick<ConsentEntry, 'source' | 'proof' | 'author'>): string => {
  if (source === 'word') return `Escreveu “${proof}”`
  return `${source === 'person' ? `${author.name} anotou` : consentSourceLabels[source]}: ${proof}`
}
