import { momentAt } from '@balcao/contract/core/wall-time.ts'
import { scheduleCreate, scheduleProblems } from '@balcao/contract/operations/schedules.ts'
import { Alert, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { MediaField } from '../../../features/core/media/media-field.tsx'
import { scheduleToGroups } from '../../../features/operations/groups/api.ts'
import { byField, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { problemsIn } from '../../../kit/form.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useNewId } from '../../../kit/use-new-id.ts'
import { MomentField } from '../../../ui/date-field.tsx'
import { focusFirstProblem } from '../../../ui/focus-first-problem.ts'
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
  const [errors, setErrors] = useState<Record<string, string>>({})
  const newIdOf = useNewId()
  const { ids, all, count } = meant
  const silent = meant.rows.filter(({ isAdminsOnly, ourRole }) => isAdminsOnly && ourRole === 'member').length

  /** What is being corrected is not held against anybody any more. */
  const forget = (field: string) => setErrors(({ [field]: _told, ...others }) => others)
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const wrong = [...problemsIn(said, { body, mediaId, scheduleDate: when }), ...scheduleProblems({ body, mediaId })]
    setErrors(byField(wrong))
    if (wrong.length) return
    setBusy(true)
    try {
      const asked = { ids, all, body: body.trim(), mediaId, scheduleDate: momentAt(when, timezone) }
      const { scheduled } = await scheduleToGroups({ ...asked, id: newIdOf(asked) })
      notify.success(scheduled === 1 ? 'Mensagem agendada.' : `${formatNumber(scheduled)} mensagens agendadas.`)
      onDone()
    } catch (error) {
      const problems = problemsOf(error)
      setErrors(problems.length ? byField(problems) : { form: messageOf(error) })
      setBusy(false)
      requestAnimationFrame(() => focusFirstProblem(form))
    }
  }
  return (
    <FormDrawer
      opened
      title="Agendar mensagem"
      dirty={body !== '' || mediaId !== null || when !== ''}
      busy={busy}
      submitLabel={count === 1 ? 'Agendar em 1 grupo' : `Agendar em ${formatNumber(count)} grupos`}
      problems={Object.entries(errors).flatMap(([field, message]) => (field in said.shape ? [] : message))}
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
          error={errors.body}
          onChange={(text) => {
            setBody(text)
            forget('body')
          }}
          minRows={4}
          maxLength={4_000}
          data-autofocus
        />
        <MediaField
          label="Arquivo"
          media={null}
          value={mediaId}
          error={errors.mediaId}
          onChange={(id) => {
            setMedia(id)
            forget('mediaId')
            // Words or a file: one of them is enough.
            forget('body')
          }}
        />
        <MomentField
          label="Quando"
          required
          value={when}
          error={errors.scheduleDate}
          onChange={(moment) => {
            setWhen(moment)
            forget('scheduleDate')
          }}
        />
      </Stack>
    </FormDrawer>
  )
}

/** What has a field here. */
const said = scheduleCreate.pick({ body: true, mediaId: true, scheduleDate: true })
