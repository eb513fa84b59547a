import { quickFolderResource } from '@balcao/contract/service/quick-messages.ts'
import { quickFolders } from '../../../db/schema/service/library.ts'
import { crud } from '../../../kit/crud.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { audienceOf, readableBy, requireWrite, scopeAfter } from './scope.ts'

export const quickFolderRoutes = crud(quickFolderResource, {
  table: quickFolders,
  search: [quickFolders.name],
  visible: (actor) => readableBy(actor, quickFolders),
  beforeWrite: async (_tx, { actor, before, input }) => {
    const after = scopeAfter(actor, before, input, 'pastas')
    if (before && (after.scope !== before.scope || after.queueId !== before.queueId))
      throw fieldErrors({ path: 'scope', message: 'Uma pasta fica com quem a usa. Crie outra e mova as mensagens.' })
    return after
  },
  beforeDelete: requireWrite,
  audience: audienceOf,
})
