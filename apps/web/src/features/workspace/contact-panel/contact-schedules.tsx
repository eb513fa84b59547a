import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import { UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { useCan } from '../../../kit/use-can.ts'
import { schedulesList } from '../../operations/schedules/api.ts'
import { WhenText } from '../../operations/schedules/when-text.tsx'
import classes from './contact-panel.module.css'
import { PanelList } from './panel-list.tsx'

const ScheduleDrawer = lazyPart(async () => ({
  default: (await import('../../operations/schedules/schedule-drawer.tsx')).ScheduleDrawer,
}))

/** Messages still to be sent to the contact; written, changed and canceled here. */
export const ContactSchedules = ({ ticket }: { ticket: Ticket }) => {
  const mayWrite = useCan('schedules.write')
  const [opened, setOpened] = useState<Schedule | 'new' | null>(null)
  const list = useInfiniteQuery(schedulesList({ contactId: ticket.contactId, state: ['pending'] }))
  return (
    <>
      <PanelList
        list={list}
        none="Nenhuma mensagem agendada."
        createLabel={mayWrite && 'Agendar mensagem'}
        onCreate={() => setOpened('new')}
      >
        {(schedule) => (
          <UnstyledButton className={classes.lineMain} onClick={() => setOpened(schedule)}>
            <span className={classes.meta}>
              <WhenText schedule={schedule} /> · {schedule.connection.name}
            </span>
            <span className="truncate" title={schedule.body}>
              {schedule.body || schedule.media?.name}
            </span>
          </UnstyledButton>
        )}
      </PanelList>
      {opened && (
        <Suspense fallback={null}>
          <ScheduleDrawer
            schedule={opened === 'new' ? null : opened}
            newFor={{
              contact: { value: ticket.contactId, label: ticket.contact.name },
              connectionId: ticket.whatsappId,
            }}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </>
  )
}
