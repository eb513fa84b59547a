import { momentAt } from '@balcao/contract/core/wall-time.ts'
import { Button, Modal, Stack, Text } from '@mantine/core'
import { IconCalendarClock } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { v7 } from 'uuid'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { MediaField } from '../../../features/core/media/media-field.tsx'
import { createSchedule } from '../../../features/operations/schedules/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { MomentField } from '../../../ui/date-field.tsx'
import { notify } from '../../../ui/notify.ts'
import type { Meant } from './groups-screen.tsx'

/** One message to each of the chosen groups, at its time. */
export const ScheduleDialog = ({
  meant,
  onClose,
  onDone,
}: {
  meant: Meant
  onClose: () => void
  onDone: () => void
}) => {
  const { timezone } = useCurrentSession().user.tenant
  const [body, setBody] = useState('')
  const [mediaId, setMedia] = useState<string | null>(null)
  const [when, setWhen] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // Asked again after a fault, what was scheduled already is the same one.
  const [ids] = useState(() => new Map(meant.rows.map(({ id }) => [id, v7()])))
  const groups = meant.rows.filter(({ id }) => meant.ids.includes(id))

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!body.trim() && !mediaId) return setProblem('Escreva a mensagem ou anexe um arquivo.')
    if (!when) return setProblem('Informe a data e a hora do envio.')
    setBusy(true)
    setProblem(null)
    try {
      for (const { id, groupId, connection } of groups)
        await createSchedule({
          ...{ id: ids.get(id), contactId: groupId, connectionId: connection.id, body: body.trim(), mediaId },
          ...{ scheduleDate: momentAt(when, timezone), recurrence: null },
        })
      notify.success(groups.length === 1 ? 'Mensagem agendada.' : `${formatNumber(groups.length)} mensagens agendadas.`)
      onDone()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title="Agendar mensagem" size={520} closeButtonProps={{ 'aria-label': 'Fechar' }}>
      <form onSubmit={(event) => void handleSubmit(event)}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            Para {groups.length === 1 ? (groups[0]?.name ?? '1 grupo') : `${formatNumber(groups.length)} grupos`}.
            Depois, cada uma aparece em Agendamentos.
          </Text>
          <VariableTextarea
            label="Mensagem"
            value={body}
            onChange={setBody}
            minRows={4}
            maxLength={4_000}
            data-autofocus
          />
          <MediaField label="Arquivo" media={null} value={mediaId} onChange={setMedia} />
          <MomentField label="Quando" required value={when} onChange={setWhen} />
          {problem && (
            <Text size="sm" c="red" role="alert">
              {problem}
            </Text>
          )}
          <Button type="submit" loading={busy} leftSection={<IconCalendarClock size={18} aria-hidden />}>
            Agendar
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
