import { farewellResource } from '@balcao/contract/service/farewells.ts'
import { farewells } from '../../../db/schema/service/library.ts'
import { crud } from '../../../kit/crud.ts'

export const farewellRoutes = crud(farewellResource, {
  table: farewells,
  search: [farewells.name, farewells.message],
})
