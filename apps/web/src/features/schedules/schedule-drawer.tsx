import { type ComponentProps, useState } from 'react'
import { formatDateTime } from '../../kit/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useCancelSchedule } from './api.ts'
import { ScheduleForm } from './schedule-form.tsx'

/** A scheduled message beside whatever shows it, and the question before it is taken back. */
export const ScheduleDrawer = (props: Omit<ComponentProps<typeof ScheduleForm>, 'onCancelSchedule'>) => {
  const { schedule, onClose } = props
  const [asking, setAsking] = useState(false)
  const cancellation = useCancelSchedule()
  return (
    <>
      <ScheduleForm {...props} onCancelSchedule={() => setAsking(true)} />
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
