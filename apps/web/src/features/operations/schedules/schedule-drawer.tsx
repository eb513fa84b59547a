import { type ComponentProps, useState } from 'react'
import { formatDateTime } from '../../../kit/format.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useCancelSchedule } from './api.ts'
import { ScheduleForm } from './schedule-form.tsx'

/** A scheduled message beside whatever shows it, and the question before it is taken back. */
export const ScheduleDrawer = (props: Omit<ComponentProps<typeof ScheduleForm>, 'onCancelSchedule' | 'onRepeat'>) => {
  const { schedule, onClose } = props
  const [asking, setAsking] = useState(false)
  const [isRepeating, setRepeating] = useState(false)
  const cancellation = useCancelSchedule()
  const form = { ...props, onCancelSchedule: () => setAsking(true), onRepeat: () => setRepeating(true) }
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
          onConfirm={() => cancellation.mutate(schedule.id, { onSuccess: onClose, onError: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          A mensagem para {schedule.contact.name} em {formatDateTime(schedule.scheduleDate)} não será enviada
          {schedule.recurrence ? ', nem as repetições que viriam depois' : ''}.
        </ConfirmDialog>
      )}
    </>
  )
}
