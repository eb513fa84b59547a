import { changeSetsIn } from '../../contacts/contacts/contacts.service.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { Catalogue } from './action.ts'

export const addContactTags: Catalogue['addContactTags'] = {
  run: ({ tagIds }, { tx, by, ticket }) =>
    changeSetsIn(tx, by.actor, ticket.contactId, ({ tags }) => ({ tagIds: together(tags, tagIds) })),
  sentence: ({ tagIds }, directory) => `etiquetou o contato: ${tagNames(tagIds, directory)}`,
}
export const removeContactTags: Catalogue['removeContactTags'] = {
  run: ({ tagIds }, { tx, by, ticket }) =>
    changeSetsIn(tx, by.actor, ticket.contactId, ({ tags }) => ({
      tagIds: tags.map((tag) => tag.id).filter((id) => !tagIds.includes(id)),
    })),
  sentence: ({ tagIds }, directory) => `tirou etiquetas do contato: ${tagNames(tagIds, directory)}`,
}

export const wallet: Catalogue['wallet'] = {
  run: ({ userId }, { tx, by, ticket }) =>
    changeSetsIn(tx, by.actor, ticket.contactId, ({ wallets }) => ({ walletIds: together(wallets, [userId]) })),
  sentence: ({ userId }, { people }) => `pôs o contato na carteira de ${people.get(userId)?.name ?? 'outra pessoa'}`,
}

const together = (rows: { id: string }[], ids: string[]) => [...new Set([...rows.map(({ id }) => id), ...ids])]
const tagNames = (ids: string[], { tags }: Directory) => ids.flatMap((id) => tags.get(id)?.name ?? []).join(', ')
