import type { Schedule } from '@balcao/contract/schedules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, UnstyledButton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '../../kit/api-error.ts'
import { formatDateTime } from '../../kit/format.ts'
import { useCan } from '../../kit/use-can.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { notify } from '../../ui/notify.ts'
import { SkeletonList } from '../../ui/skeleton-list.tsx'
import { cancelSchedule, schedulesList } from '../schedules/api.ts'
import { WhenText } from '../schedules/when-text.tsx'
import classes from './contact-panel.module.css'
import { None } from './panel-section.tsx'

const ScheduleForm = lazy(async () => ({ default: (await import('../schedules/schedule-form.tsx')).ScheduleForm }))

/** Messages still to be sent to the contact; written, changed and canceled here. */
export const ContactSchedules = ({ ticket }: { ticket: Ticket }) => {
  const cache = useQueryClient()
  const mayWrite = useCan('schedules.write')
  const [opened, setOpened] = useState<Schedule | 'new' | null>(null)
  const [canceling, setCanceling] = useState<Schedule | null>(null)
  const [busy, setBusy] = useState(false)
  const list = useInfiniteQuery(schedulesList({ contactId: ticket.contactId, state: ['pending'] }))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []

  const handleCancel = async () => {
    if (!canceling) return
    setBusy(true)
    try {
      await cancelSchedule(canceling.id)
      setOpened(null)
      setCanceling(null)
      notify.success('Envio cancelado.')
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setBusy(false)
      void cache.invalidateQueries({ queryKey: ['resource', 'schedule'] })
    }
  }
  return (
    <>
      {list.isPending ? (
        <SkeletonList rows={1} height={44} />
      ) : list.isError ? (
        <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : (
        items.length === 0 && <None text="Nenhuma mensagem agendada." />
      )}
      <ul className={classes.lines}>
        {items.map((schedule) => (
          <li key={schedule.id} className={classes.lineItem}>
            <UnstyledButton className={classes.lineMain} onClick={() => setOpened(schedule)}>
              <span className={classes.meta}>
                <WhenText schedule={schedule} /> · {schedule.connection.name}
              </span>
              <span className="truncate">{schedule.body || schedule.media?.name}</span>
            </UnstyledButton>
            {mayWrite && (
              <Button size="compact-xs" variant="subtle" color="red" onClick={() => setCanceling(schedule)}>
                Cancelar
              </Button>
            )}
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void list.fetchNextPage()}>
          Mostrar mais
        </Button>
      )}
      {mayWrite && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => setOpened('new')}
        >
          Agendar mensagem
        </Button>
      )}
      {opened && (
        <Suspense fallback={null}>
          <ScheduleForm
            schedule={opened === 'new' ? null : opened}
            newFor={{
              contact: { value: ticket.contactId, label: ticket.contact.name },
              connectionId: ticket.whatsappId,
            }}
            onClose={() => setOpened(null)}
            onCancelSchedule={() => opened !== 'new' && setCanceling(opened)}
          />
        </Suspense>
      )}
      <ConfirmDialog
        opened={canceling !== null}
        title="Cancelar este envio?"
        confirmLabel="Cancelar envio"
        cancelLabel="Manter"
        tone="danger"
        busy={busy}
        onClose={() => setCanceling(null)}
        onConfirm={() => void handleCancel()}
      >
        {canceling && `A mensagem de ${formatDateTime(canceling.scheduleDate)} não será enviada.`}
      </ConfirmDialog>
    </>
  )
}
