import { auditLive } from '../features/audit/live.ts'
import { connectionsLive } from '../features/connections/live.ts'
import { contactLive } from '../features/contacts-panel/live.ts'
import { dashboardLive } from '../features/dashboard/live.ts'
import { mentionsLive } from '../features/mentions/live.ts'
import { messageLive } from '../features/messages/live.ts'
import { notesLive } from '../features/notes/live.ts'
import { presenceLive } from '../features/presence/live.ts'
import { ratingsLive } from '../features/ratings/live.ts'
import { schedulesLive } from '../features/schedules/live.ts'
import { settingsLive } from '../features/settings/live.ts'
import { templatesLive } from '../features/templates/live.ts'
import { bulkLive } from '../features/tickets/bulk-api.ts'
import { ticketLive } from '../features/tickets/live.ts'
import { mergedLive } from '../features/tickets/merged.ts'
import { usersLive } from '../features/users/live.ts'
import { wallLive } from '../features/wall/live.ts'
import type { Live } from '../kit/live.ts'
import { alertsLive } from './alerts-live.ts'
import { sessionLive } from './session-live.ts'

/** Every table of every feature: a new feature adds its own here. */
export const liveTables: readonly Live[] = [
  ticketLive,
  messageLive,
  mentionsLive,
  presenceLive,
  contactLive,
  sessionLive,
  alertsLive,
  connectionsLive,
  dashboardLive,
  settingsLive,
  usersLive,
  schedulesLive,
  notesLive,
  ratingsLive,
  wallLive,
  templatesLive,
  bulkLive,
  mergedLive,
  auditLive,
]
