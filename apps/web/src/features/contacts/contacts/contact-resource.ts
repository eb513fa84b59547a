import { contact, contactWrite } from '@balcao/contract/contacts/contacts.ts'
import { resource } from '@balcao/contract/resource.ts'

/** Contacts as ResourceScreen handles them; the server serves them by hand. */
export const contactResource = resource({
  path: '/contacts',
  event: 'contact',
  label: { one: 'Contato', many: 'Contatos' },
  row: contact,
  write: contactWrite,
  fields: {
    tagIds: 'Etiquetas',
    walletIds: 'Carteira',
    notes: 'Observações',
    extraInfo: 'Outros campos',
    birthdayDate: 'Aniversário',
    phones: 'Outros telefones',
    businessName: 'Empresa',
    document: 'CPF ou CNPJ',
    address: 'Endereço',
    kanban: 'Etapa',
    isBotBlocked: 'Só com pessoas',
  },
  sort: ['name', 'createdAt', 'lastMessageAt'],
  can: { read: 'contacts.read', write: 'contacts.write', delete: 'contacts.delete' },
})
