import { blockedNumberResource } from './contacts/blocked-numbers.ts'
import { contactFieldResource } from './contacts/contact-fields.ts'
import { tagResource } from './contacts/tags.ts'
import { placeResource } from './conversations/places.ts'
import { reasonResource } from './conversations/reasons.ts'
import { savedFilterResource } from './conversations/saved-filters.ts'
import { integrationResource } from './core/integrations/index.ts'
import { roleResource } from './people/roles.ts'
import { farewellResource } from './service/farewells.ts'
import { macroResource } from './service/macros.ts'
import { queueResource } from './service/queues.ts'
import { quickMessageResource } from './service/quick-messages.ts'

/** Every administrable thing. Its events and its words in the audit follow from this line. */
export const resources = [
  blockedNumberResource,
  contactFieldResource,
  farewellResource,
  macroResource,
  placeResource,
  integrationResource,
  queueResource,
  quickMessageResource,
  reasonResource,
  roleResource,
  savedFilterResource,
  tagResource,
] as const
