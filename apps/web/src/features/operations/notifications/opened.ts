import { z } from 'zod'
import { readDraft, writeDraft } from '../../conversations/messages/drafts.ts'
import { linkToTicket } from '../../conversations/tickets/address.ts'

const opened = z.object({ open: z.string(), ticketId: z.string().nullish(), text: z.string().nullish() })

/** A click on a notification, told by the service worker: here, so that nothing in this window is lost to a new page. */
export const openFromNotices = (go: (path: string) => void) => {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    const told = opened.safeParse(data)
    if (!told.success || !told.data.open.startsWith('/')) return
    const { open, ticketId, text } = told.data
    const place = ticketId ? ({ ticketId, kind: 'message' } as const) : null
    // An answer that did not leave is where it can be finished, unless something else is being written there.
    if (place && text && !readDraft(place).body) writeDraft(place, text)
    go(ticketId ? linkToTicket(ticketId) : open)
  })
}
