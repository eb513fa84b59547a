import { Readable } from 'node:stream'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { contactsQuery } from '@balcao/contract/contacts/contacts.ts'
import { withTenant } from '../../../db/database.ts'
import { pageTurn } from '../../../kit/fair-turn.ts'
import { xlsx } from '../../../kit/xlsx.ts'
import { defineMaking } from '../../core/jobs/job-kinds.ts'
import { contactColumns } from './contacts.export.ts'
import { readPage } from './contacts.service.ts'

const pageSize = 1_000

/** The contacts of a list as an Excel workbook, however many they are. */
export const exportContactsXlsxJob = defineMaking({
  kind: 'exportContactsXlsx',
  can: 'contacts.export',
  params: contactsQuery,
  make: async ({ directory, actor, params, signal, tell }) => {
    const { tenantId } = actor
    const columns = await withTenant(tenantId, (tx) => contactColumns(tx, directory.timezone))
    const pages = async function* (): AsyncGenerator<Contact[]> {
      let done = 0
      for (let cursor: string | undefined; ; ) {
        signal.throwIfAborted()
        const asked = { ...params, cursor, pageNumber: 1, limit: pageSize, count: false }
        const page = await pageTurn(tenantId, () => withTenant(tenantId, (tx) => readPage(tx, actor, asked)))
        yield page.items
        done += page.items.length
        tell(done, done)
        if (!page.nextCursor) return
        cursor = page.nextCursor
      }
    }
    return { name: 'contatos.xlsx', stream: Readable.from(xlsx('Contatos', columns, pages())) }
  },
})
