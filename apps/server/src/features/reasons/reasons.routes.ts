import { reasonResource } from '@balcao/contract/reasons.ts'
import { reasons } from '../../db/schema/work.ts'
import { crud } from '../../kit/crud.ts'
import { forgetDirectory } from '../directory/directory.ts'

export const reasonRoutes = crud(reasonResource, {
  table: reasons,
  search: [reasons.name],
  csv: [
    { label: 'Nome', value: (reason) => reason.name },
    { label: 'Cor', value: (reason) => reason.color },
    { label: 'Ativo', value: (reason) => reason.isActive },
    { label: 'Criado em', value: (reason) => reason.createdAt },
  ],
  inUse: { tickets: 'ERR_REASON_IN_USE' },
  afterCommit: forgetDirectory,
})
