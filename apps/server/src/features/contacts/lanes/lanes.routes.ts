import { laneResource } from '@balcao/contract/contacts/lanes.ts'
import { lanes } from '../../../db/schema/contacts/lanes.ts'
import { counted } from '../../../kit/counted.ts'
import { crud } from '../../../kit/crud.ts'

export const laneRoutes = crud(laneResource, {
  table: lanes,
  search: [lanes.name],
  inUse: {
    contacts: {
      code: 'ERR_IN_USE',
      says: (uses) => `Esta etapa tem ${counted(uses, 'contato', 'contatos')}. Passe-os a outra antes.`,
    },
  },
})
