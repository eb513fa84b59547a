import { reasonResource } from '@balcao/contract/conversations/reasons.ts'
import { reasons } from '../../../db/schema/conversations/lists.ts'
import { counted } from '../../../kit/counted.ts'
import { crud } from '../../../kit/crud.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'

export const reasonRoutes = crud(reasonResource, {
  table: reasons,
  search: [reasons.name],
  inUse: {
    tickets: {
      code: 'ERR_REASON_IN_USE',
      says: (uses) =>
        `Este motivo encerrou ${counted(uses, 'conversa', 'conversas')}. Desative-o para que não seja mais oferecido.`,
    },
  },
  afterCommit: invalidateDirectory,
})
