import { copilotLive } from '../features/automation/copilot/live.ts'
import { flowsLive } from '../features/automation/flows/live.ts'
import { voiceCallsLive } from '../features/automation/voice-calls/live.ts'
import { connectionsLive } from '../features/channels/connections/live.ts'
import { optOutsLive } from '../features/contacts/consent/live.ts'
import { contactLive } from '../features/contacts/contacts/live.ts'
import { duplicatesLive } from '../features/contacts/duplicates/live.ts'
import { importsLive } from '../features/contacts/imports/live.ts'
import { groupsLive } from '../features/conversations/groups/live.ts'
import { mentionsLive } from '../features/conversations/mentions/live.ts'
import { messageLive } from '../features/conversations/messages/live.ts'
import { notesLive } from '../features/conversations/notes/live.ts'
import { templatesLive } from '../features/conversations/templates/live.ts'
import { bulkLive } from '../features/conversations/tickets/bulk-api.ts'
import { ticketLive } from '../features/conversations/tickets/live.ts'
import { integrationsLive } from '../features/core/integrations/live.ts'
import { birthdaysLive } from '../features/operations/birthdays/live.ts'
import { campaignsLive } from '../features/operations/campaigns/live.ts'
import { dashboardLive } from '../features/operations/dashboard/live.ts'
import { funnelActionsLive } from '../features/operations/funnel-actions/live.ts'
import { groupListLive } from '../features/operations/groups/live.ts'
import { jobsLive } from '../features/operations/jobs/live.ts'
import { monitorLive } from '../features/operations/monitor/live.ts'
import { schedulesLive } from '../features/operations/schedules/live.ts'
import { presenceLive } from '../features/people/presence/live.ts'
import { settingsLive } from '../features/people/settings/live.ts'
import { usersLive } from '../features/people/users/live.ts'
import { auditLive } from '../features/platform/audit/live.ts'
import { tenantConnectionsLive } from '../features/platform/tenants/live.ts'
import { opportunitiesLive } from '../features/sales/funnel/live.ts'
import { ratingsLive } from '../features/service/ratings/live.ts'
import { mergedLive } from '../features/workspace/inbox/merged.ts'
import { wallLive } from '../features/workspace/wall/live.ts'
import type { Live } from '../kit/live.ts'
import { alertsLive } from './alerts-live.ts'
import { sessionLive } from './session-live.ts'

/** Every table of every feature: a new feature adds its own here. */
export const liveTables: readonly Live[] = [
  ticketLive,
  integrationsLive,
  messageLive,
  mentionsLive,
  groupsLive,
  groupListLive,
  presenceLive,
  contactLive,
  optOutsLive,
  flowsLive,
  voiceCallsLive,
  copilotLive,
  duplicatesLive,
  importsLive,
  birthdaysLive,
  funnelActionsLive,
  campaignsLive,
  sessionLive,
  alertsLive,
  connectionsLive,
  dashboardLive,
  monitorLive,
  settingsLive,
  usersLive,
  schedulesLive,
  notesLive,
  ratingsLive,
  opportunitiesLive,
  wallLive,
  templatesLive,
  bulkLive,
  jobsLive,
  mergedLive,
  auditLive,
  tenantConnectionsLive,
]
