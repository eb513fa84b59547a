import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { formatDateTime, formatNumber } from '../../../kit/format.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { sameSchedulesQuery, useCancelSchedule } from './api.ts'
import { ScheduleForm } from './schedule-form.tsx'

/** A scheduled message beside whatever shows it, and the question before it is taken back. */
export const ScheduleDrawer = (
  props: Omit<ComponentProps<typeof ScheduleForm>, 'same' | 'onCancelSchedule' | 'onRepeat'>,
) => {
  const { schedule, onClose } = props
  const [asking, setAsking] = useState(false)
  const [isRepeating, setRepeating] = useState(false)
  const [alsoSame, setAlsoSame] = useState(false)
  const cancellation = useCancelSchedule()
  const isGroup = schedule?.state === 'pending' && schedule.contact.isGroup
  const same = useQuery({ ...sameSchedulesQuery(schedule?.id ?? ''), enabled: isGroup }).data ?? 0
  const form = { ...props, same, onCancelSchedule: () => setAsking(true), onRepeat: () => setRepeating(true) }
  if (schedule && isRepeating) {
    const { contact, connection, body, media } = schedule
    const newFor = { contact: { value: contact.id, label: contact.name }, connectionId: connection.id, body, media }
    return <ScheduleForm key="again" {...form} schedule={null} newFor={newFor} />
  }
  return (
    <>
      <ScheduleForm {...form} />
      {schedule && (
        <ConfirmDialog
          opened={asking}
          title="Cancelar este envio?"
          confirmLabel="Cancelar envio"
          cancelLabel="Manter"
          tone="danger"
          busy={cancellation.isPending}
          onConfirm={() =>
            cancellation.mutate(
              { id: schedule.id, alsoSame: alsoSame && same > 0 },
              { onSuccess: onClose, onError: () => setAsking(false) },
            )
          }
          onClose={() => setAsking(false)}
        >
          A mensagem para {schedule.contact.name} em {formatDateTime(schedule.scheduleDate)} não será enviada
          {schedule.recurrence ? ', nem as repetições que viriam depois' : ''}.
          {same > 0 && (
            <Switch
              mt="md"
              label={`Cancelar também em ${same === 1 ? '1 outro grupo' : `outros ${formatNumber(same)} grupos`}`}
              description="O que foi agendado junto, para a mesma hora."
              checked={alsoSame}
              onChange={(event) => setAlsoSame(event.currentTarget.checked)}
            />
          )}
        </ConfirmDialog>
      )}
    </>
  )
}
