import type { GoogleCalendarSimulator } from '@balcao/simulators/google-calendar.ts'
import { v7 } from 'uuid'
import { getDirectory } from '../features/core/directory/directory.ts'
import { finishConsent, startConsent } from '../features/core/integrations/consent.ts'
import { integrationRows } from '../features/core/integrations/integrations.rows.ts'
import { actorOf } from '../features/people/auth/access-token.ts'
import { listCalendars } from '../features/sales/calendar/accounts.ts'

const tenantId = 1
const name = 'Agenda da loja'
const hour = 3_600_000

/** The shop's Google account, as its administrator connects it: anew on each start, since the simulator remembers nothing. */
export const connectCalendar = async (google: GoogleCalendarSimulator) => {
  const { people } = await getDirectory(tenantId)
  const admin = [...people.values()].find(({ email }) => email === 'admin@aurora.local')
  if (!admin) return
  const { id: userId, tokenVersion } = admin
  const actor = await actorOf({ tenantId, userId, tokenVersion, sessionId: v7(), impersonatorId: null })
  const config = { ...google.client, apiUrl: google.apiUrl, ownClient: true }
  const known = (await listCalendars(tenantId)).find((one) => one.name === name)
  const { id } = known ?? (await integrationRows.create(actor, { name, kind: 'googleCalendar', config }))
  const { url, browser } = await startConsent(actor, id, { inWindow: false })
  const back = new URL(google.consent(url)).searchParams
  await finishConsent({ state: back.get('state') ?? '', code: back.get('code') ?? '' }, browser)
  for (const [summary, days, hours] of [
    ['Visita do fornecedor de solados', 1, 1],
    ['Reunião de metas', 3, 2],
    ['Fotos da coleção nova', 6, 4],
  ] as const) {
    const start = (Math.floor(Date.now() / (24 * hour)) + days) * 24 * hour + 13 * hour
    const at = (ms: number) => ({ dateTime: new Date(ms).toISOString() })
    google.write({ summary, start: at(start), end: at(start + hours * hour) })
  }
}
