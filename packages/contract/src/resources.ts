import { assistantResource } from './automation/assistants/assistants.ts'
import { assistantCaseResource } from './automation/assistants/evaluation.ts'
import { knowledgeBaseResource } from './automation/assistants/knowledge.ts'
import { flowResource } from './automation/flows/flows.ts'
import { blockedNumberResource } from './contacts/blocked-numbers.ts'
import { contactFieldResource } from './contacts/contact-fields.ts'
import { laneResource } from './contacts/lanes.ts'
import { segmentResource } from './contacts/segments/segments.ts'
import { tagGroupResource, tagResource } from './contacts/tags.ts'
import { placeResource } from './conversations/places.ts'
import { reasonResource } from './conversations/reasons.ts'
import { savedFilterResource } from './conversations/saved-filters.ts'
import { integrationResource } from './core/integrations/index.ts'
import { pipelineActionResource, ticketActionResource } from './operations/funnel-actions.ts'
import { banResource, farewellResourceOfGroups, greetingResource, wordResource } from './operations/group-rules.ts'
import { reportViewResource } from './operations/reports/views.ts'
import { roleResource } from './people/roles.ts'
import { outcomeReasonResource, pipelineResource, stageResource } from './sales/pipelines.ts'
import { autoReplyResource } from './service/auto-replies.ts'
import { farewellResource } from './service/farewells.ts'
import { macroResource } from './service/macros.ts'
import { queueResource } from './service/queues.ts'
import { quickFolderResource, quickMessageResource } from './service/quick-messages.ts'

/** Every administrable thing. Its events and its words in the audit follow from this line. */
export const resources = [
  autoReplyResource,
  banResource,
  blockedNumberResource,
  contactFieldResource,
  farewellResource,
  farewellResourceOfGroups,
  flowResource,
  assistantResource,
  assistantCaseResource,
  knowledgeBaseResource,
  greetingResource,
  laneResource,
  macroResource,
  placeResource,
  integrationResource,
  outcomeReasonResource,
  pipelineActionResource,
  pipelineResource,
  queueResource,
  quickFolderResource,
  quickMessageResource,
  reasonResource,
  roleResource,
  savedFilterResource,
  reportViewResource,
  tagGroupResource,
  segmentResource,
  stageResource,
  tagResource,
  ticketActionResource,
  wordResource,
] as const
