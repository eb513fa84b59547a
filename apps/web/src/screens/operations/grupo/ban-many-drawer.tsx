import { type BansReport, banResource, bansBody } from '@balcao/contract/operations/group-rules.ts'
import { Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { banMany, bansPreview } from '../../../features/operations/groups/api.ts'
import { NumbersField } from '../../../features/operations/groups/numbers-field.tsx'
import { PlaceFields } from '../../../features/operations/groups/place-fields.tsx'
import { byField, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { problemsIn } from '../../../kit/form.ts'
import { formatNumber, plural } from '../../../kit/format.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import classes from './groups-screen.module.css'

/** Many numbers at once: what is left out is told before and after, and stays in the field. */
export const BanManyDrawer = ({ onClose }: { onClose: () => void }) => {
  const cache = useQueryClient()
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [place, setPlace] = useState({ whatsappId: '', groupIds: [] as string[], isActive: true })
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const asked = { text, reason, whatsappId: place.whatsappId, groupIds: place.groupIds }
  const [settled] = useDebouncedValue(asked, 400)
  const preview = useQuery({
    ...bansPreview(settled),
    enabled: bansBody.safeParse(settled).success,
  })
  const report = text.trim() && place.whatsappId ? preview.data : undefined

  const tooMuch = preview.error && problemsOf(preview.error).find(({ path }) => path === 'text')?.message
  /** What is being corrected is not held against anybody any more. */
  const forget = (fields: readonly string[]) =>
    setErrors((told) => Object.fromEntries(Object.entries(told).filter(([field]) => !fields.includes(field))))

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = problemsIn(bansBody, asked)
    if (wrong.length) return setErrors(byField(wrong))
    setBusy(true)
    setErrors({})
    try {
      const { banned, refused } = await banMany(asked)
      void cache.invalidateQueries({ queryKey: ['resource', banResource.event] })
      if (banned) notify.success(`${plural(banned, 'número banido', 'números banidos')}.`)
      if (!refused.length) return onClose()
      setText(linesLeft(text, refused))
      setErrors({ text: banned ? 'Estes não foram banidos. Corrija ou feche.' : 'Nenhum destes pode ser banido.' })
    } catch (failed) {
      const problems = problemsOf(failed)
      setErrors(problems.length ? byField(problems) : { form: messageOf(failed) })
    }
    setBusy(false)
  }
  return (
    <FormDrawer
      opened
      title="Banir vários números"
      dirty={text !== '' || reason !== ''}
      busy={busy}
      submitLabel={report?.banned ? `Banir ${plural(report.banned, 'número', 'números')}` : 'Banir'}
      problems={Object.values(errors)}
      onClose={onClose}
      onSubmit={(event) => void handleSubmit(event)}
    >
      <Stack gap="sm">
        <NumbersField
          label="Números"
          description="Um por linha, com DDD; de outro país, comece com +. Em um CSV, o motivo pode vir ao lado."
          data-autofocus
          value={text}
          error={errors.text ?? (text.trim() ? tooMuch : undefined)}
          onChange={(next) => {
            setText(next)
            forget(['text'])
          }}
        />
        <PlaceFields
          values={place}
          errors={errors}
          onChange={(patch) => {
            setPlace((before) => ({ ...before, ...patch }))
            forget(Object.keys(patch))
          }}
          isNew
        />
        <TextInput
          label="Motivo"
          description="Dos que não têm um na lista. Aparece no registro."
          maxLength={200}
          value={reason}
          error={errors.reason}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            forget(['reason'])
          }}
        />
        <div role="status">{report && <Report report={report} />}</div>
      </Stack>
    </FormDrawer>
  )
}

const Report = ({ report: { banned, refused } }: { report: BansReport }) => (
  <Stack gap={6}>
    <Text size="sm" fw={500}>
      {banned ? plural(banned, 'número será banido', 'números serão banidos') : 'Nenhum número novo'}
      {refused.length > 0 && ` · ${plural(refused.length, 'fica de fora', 'ficam de fora')}`}
    </Text>
    {refused.length > 0 && (
      <ul className={classes.refused} aria-label="O que fica de fora">
        {refused.slice(0, mostShown).map(({ line, text, reason }, at) => (
          // Two of one line may say the same.
          // biome-ignore lint/suspicious/noArrayIndexKey: the report is drawn anew as a whole
          <li key={at}>
            <span className={classes.meta}>Linha {line}</span> <strong>{text}</strong>{' '}
            <span className={classes.meta}>{reason}</span>
          </li>
        ))}
      </ul>
    )}
    {refused.length > mostShown && (
      <Text size="sm" c="dimmed">
        E mais {formatNumber(refused.length - mostShown)}.
      </Text>
    )}
  </Stack>
)
const mostShown = 100

/** The lines of what was not banned as they were typed, below their heads where there are such. */
const linesLeft = (text: string, refused: BansReport['refused']) => {
  const lines = text.split(/\r\n|\r|\n/)
  const left = new Set(refused.map(({ line }) => line - 1))
  return lines.filter((line, at) => left.has(at) || (at === 0 && line.trim() && !/\d/.test(line))).join('\n')
}
