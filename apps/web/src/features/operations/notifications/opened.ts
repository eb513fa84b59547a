import { readDraft, writeDraft } from '../../conversations/messages/drafts.ts'
import { linkToTicket } from '../../conversations/tickets/address.ts'

/** What our service worker (public/sw.js) says. */
type Opened = { open?: string; ticketId?: string | null; text?: string | null }

/** A click on a notification, told by the service worker: here, so that nothing in this window is lost to a new page. */
export const openFromNotices = (go: (path: string) => void) => {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<Opened>) => {
    const { open, ticketId, text } = data
    if (!open?.startsWith('/')) return
    const place = ticketId ? ({ ticketId, kind: 'message' } as const) : null
    // An answer that did not leave is where it can be finished, unless something else is being written there.
    if (place && text && !readDraft(place).body) writeDraft(place, text)
    go(ticketId ? linkToTicket(ticketId) : open)
  })
}
