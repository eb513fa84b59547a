import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { momentAt } from '@balcao/contract/core/wall-time.ts'
import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { v7 } from 'uuid'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { notify } from '../../../ui/notify.ts'
import type { Abilities } from '../../conversations/messages/abilities.ts'
import { readDraft, writeDraft } from '../../conversations/messages/drafts.ts'
import { attachMedia, detach, trayOf } from '../../conversations/messages/tray.ts'
import { upload, uploadOf } from '../../conversations/messages/uploads.ts'
import { cancelSchedule, createSchedule } from '../../operations/schedules/api.ts'
import { typeOf } from './sendable.ts'

/** What is in the composer now, as a scheduled message begins with it. */
export type LaterDraft = { body: string; media: Schedule['media'] }

/** Sends what is in the composer at another time. It leaves the composer once it is scheduled, and comes back by "Desfazer". */
export const useSendLater = (ticket: Ticket, abilities: Abilities) => {
  const cache = useQueryClient()
  const { timezone } = useCurrentSession().user.tenant
  const [choosing, setChoosing] = useState<LaterDraft | null>(null)
  const goingFiles = () => trayOf(ticket.id).filter((item) => typeOf(item, uploadOf(item.id), abilities) !== null)
  const place = { ticketId: ticket.id, kind: 'message' as const }

  const empty = () => {
    writeDraft(place, '')
    for (const { id } of goingFiles()) detach(ticket.id, id)
  }
  const putBack = ({ body, media }: LaterDraft) => {
    writeDraft(place, [body, readDraft(place).body].filter(Boolean).join('\n'))
    if (media) attachMedia(ticket.id, media)
  }
  const renewLists = () => void cache.invalidateQueries({ queryKey: ['resource', 'schedule'] })
  const tellProblem = (error: unknown) => notify.error(reasonOf(error))

  const schedule = async (draft: LaterDraft, wall: string) => {
    empty() // at once: what is typed from now on is another message
    try {
      const made = await createSchedule({
        id: v7(),
        contactId: ticket.contactId,
        connectionId: ticket.whatsappId,
        body: draft.body,
        mediaId: draft.media?.id ?? null,
        scheduleDate: momentAt(wall, timezone),
        recurrence: null,
      })
      notify.success(`Agendada para ${formatDateTime(made.scheduleDate)}.`, {
        label: 'Desfazer',
        onClick: () => void takeBack(made),
      })
    } catch (error) {
      putBack(draft)
      tellProblem(error)
    }
    renewLists()
  }
  const takeBack = (made: Schedule) =>
    cancelSchedule(made.id)
      .then(() => putBack(made))
      .catch(tellProblem)
      .finally(renewLists)

  /** At this time of the company's clock, or at one that the person chooses. */
  const begin = async (wall?: string) => {
    const items = goingFiles()
    const [item] = items
    if (items.length > 1) return notify.info('Cada agendamento leva um arquivo. Deixe um só e agende os outros depois.')
    try {
      const media = item ? await upload(item.id) : null
      const draft = { body: readDraft(place).body.trim() || (item?.caption.trim() ?? ''), media }
      if (wall) await schedule(draft, wall)
      else setChoosing(draft)
    } catch (error) {
      tellProblem(error)
    }
  }
  return { begin, choosing, endChoosing: () => setChoosing(null), empty }
}
