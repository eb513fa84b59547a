import { tagResource } from '@balcao/contract/contacts/tags.ts'
import { tags } from '../../../db/schema/contacts/tags.ts'
import { counted } from '../../../kit/counted.ts'
import { crud } from '../../../kit/crud.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'

export const tagRoutes = crud(tagResource, {
  table: tags,
  search: [tags.name],
  inUse: {
    contact_tags: {
      code: 'ERR_TAG_CONTACTS_EXISTS',
      says: (uses) => `Esta etiqueta está em ${counted(uses, 'contato', 'contatos')}. Desative-a ou tire-a antes.`,
    },
  },
  afterCommit: invalidateDirectory,
})
