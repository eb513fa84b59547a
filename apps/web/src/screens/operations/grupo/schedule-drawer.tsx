import { momentAt } from '@balcao/contract/core/wall-time.ts'
import { Alert, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { v7 } from 'uuid'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { MediaField } from '../../../features/core/media/media-field.tsx'
import { scheduleToGroups } from '../../../features/operations/groups/api.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { MomentField } from '../../../ui/date-field.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import type { Meant } from './groups-screen.tsx'

/** One message to each of the chosen groups, at its time. */
export const ScheduleDrawer = ({
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
  const [id] = useState(() => v7())
  const { ids, all, count } = meant
  const silent = meant.rows.filter(({ isAdminsOnly, ourRole }) => isAdminsOnly && ourRole === 'member').length

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!body.trim() && !mediaId) return setProblem('Escreva a mensagem ou anexe um arquivo.')
    if (!when) return setProblem('Informe a data e a hora do envio.')
    setBusy(true)
    setProblem(null)
    try {
      const { scheduled } = await scheduleToGroups({
        ...{ id, ids, all, body: body.trim(), mediaId, scheduleDate: momentAt(when, timezone) },
      })
      notify.success(scheduled === 1 ? 'Mensagem agendada.' : `${formatNumber(scheduled)} mensagens agendadas.`)
      onDone()
    } catch (error) {
      setProblem(reasonOf(error))
      setBusy(false)
    }
  }
  return (
    <FormDrawer
      opened
      title="Agendar mensagem"
      dirty={body !== '' || mediaId !== null || when !== ''}
      busy={busy}
      submitLabel={count === 1 ? 'Agendar em 1 grupo' : `Agendar em ${formatNumber(count)} grupos`}
      problems={problem ? [problem] : []}
      onClose={onClose}
      onSubmit={(event) => void handleSubmit(event)}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Para {count === 1 ? (meant.rows[0]?.name ?? '1 grupo') : `${formatNumber(count)} grupos`}. Depois, cada uma
          aparece em Agendamentos.
        </Text>
        {silent > 0 && (
          <Alert color="yellow">
            {silent === 1 ? 'Em 1 grupo' : `Em ${formatNumber(silent)} grupos`} só administradores escrevem, e este
            número não é um deles: lá a mensagem não sai.
          </Alert>
        )}
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
      </Stack>
    </FormDrawer>
  )
}
