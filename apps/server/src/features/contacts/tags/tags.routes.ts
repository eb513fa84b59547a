import { type Tag, tagCounts, tagGroupResource, tagResource } from '@balcao/contract/contacts/tags.ts'
import { csvImportBody, csvImportReport } from '@balcao/contract/core/csv-imports.ts'
import { eq } from 'drizzle-orm'
import { withReport } from '../../../db/database.ts'
import { tagGroups, tags } from '../../../db/schema/contacts/tags.ts'
import { counted } from '../../../kit/counted.ts'
import { crud } from '../../../kit/crud.ts'
import { type CsvColumn, toCsv } from '../../../kit/csv.ts'
import type { Routes } from '../../../kit/http.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { importTags } from './import-tags.ts'
import { countTags } from './tags.queries.ts'

const administration = crud(tagResource, {
  table: tags,
  search: [tags.name],
  fromOlder: ({ tag, ...body }) => (tag === undefined ? body : { name: tag, ...body }),
  csvOf: async (tx, rows) => {
    const groups = await tx.db.select().from(tagGroups).where(eq(tagGroups.tenantId, tx.tenantId))
    const names = new Map(groups.map(({ id, name }) => [id, name]))
    const columns: CsvColumn<Tag>[] = [
      { label: 'Nome', value: (row) => row.name },
      { label: 'Cor', value: (row) => row.color },
      { label: 'Grupo', value: (row) => names.get(row.groupId ?? '') },
      { label: 'Ativa', value: (row) => row.isActive },
      { label: 'Criada em', value: (row) => row.createdAt },
    ]
    return toCsv(columns, rows)
  },
  inUse: {
    contact_tags: {
      code: 'ERR_TAG_CONTACTS_EXISTS',
      says: (uses) => `Esta etiqueta está em ${counted(uses, 'contato', 'contatos')}. Desative-a ou tire-a antes.`,
    },
  },
  afterCommit: invalidateDirectory,
})

export const tagRoutes: Routes = (app) => {
  administration(app)
  app.get(
    '/tags/counts',
    {
      config: { can: 'tags.read', summary: 'Contar contatos e atendimentos por etiqueta' },
      schema: { response: { 200: tagCounts } },
    },
    ({ actor }) => withReport(actor, async (tx) => ({ items: await countTags(tx) })),
  )
  app.post(
    '/tags/import',
    {
      config: { can: 'tags.write', summary: 'Importar etiquetas de um CSV' },
      schema: { body: csvImportBody, response: { 200: csvImportReport } },
    },
    ({ actor, body }) => importTags(actor, body),
  )
}

export const tagGroupRoutes = crud(tagGroupResource, {
  table: tagGroups,
  search: [tagGroups.name],
  afterCommit: invalidateDirectory,
})
