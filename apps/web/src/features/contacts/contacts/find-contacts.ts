import type { Page } from '@balcao/contract/common.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { api } from '../../../kit/api.ts'
import type { LinkOption } from '../../core/pickers/link-select.tsx'
import { showPhone } from './phone.ts'

const most = 20

/** Contacts of a search, to choose one from. */
export const findContacts = async (searchParam: string, signal: AbortSignal): Promise<LinkOption[]> => {
  const page = await api.get<Page<Contact>>('/contacts', { query: { searchParam, limit: most }, signal })
  return page.items.map(({ id, name, number, email }) => ({
    ...{ value: id, label: name },
    hint: number ? showPhone(number) : (email ?? undefined),
  }))
}
