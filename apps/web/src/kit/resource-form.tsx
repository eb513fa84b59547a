import { type FieldProblem, isErrorCode } from '@balcao/contract/errors.ts'
import { Alert, Button, Group } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconUsers } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { notify } from '../ui/notify.ts'
import { api } from './api.ts'
import { type ApiError, isApiError, messageOf } from './api-error.ts'
import { resolverOf } from './form.ts'
import { type PlainRow, saveRow } from './resource-api.ts'
import type { PlainScreen, Values } from './resource-screen.tsx'

type Props = {
  screen: PlainScreen
  row: PlainRow | null
  readOnly: boolean
  onClose: () => void
  onSaved: (row: PlainRow) => void
  footer?: ReactNode
}

/** Create or edit, beside the list. What the server refuses goes to its field; what a colleague changed is shown before it is lost. */
export const ResourceForm = ({ screen, row, readOnly, onClose, onSaved, footer }: Props) => {
  const { resource } = screen
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  const [theirs, setTheirs] = useState<PlainRow | null>(null)
  const shown = useRef(row)
  const form = useForm<Values>({
    initialValues: valuesOf(screen, row),
    validate: resolverOf(resource.write, screen.check),
    validateInputOnBlur: true,
  })
  const dirty = form.isDirty()

  // A colleague saved while this form only lay open: show theirs. Once something is typed, saving will ask.
  useEffect(() => {
    if (!row || dirty || row.version === shown.current?.version) return
    shown.current = row
    const next = valuesOf(screen, row)
    form.setInitialValues(next)
    form.setValues(next)
  }, [row, dirty, screen, form])

  const save = async (base: PlainRow | null) => {
    setBusy(true)
    setProblem(null)
    setRefusal(null)
    try {
      const parsed = resource.write.parse(form.getValues())
      const values = (await screen.beforeSave?.(parsed, base)) ?? parsed
      const saved = await saveRow(resource, base, values)
      notify.success(base ? 'Alterações salvas.' : `${resource.label.one}: cadastro concluído.`)
      form.resetDirty()
      onSaved(saved)
    } catch (error) {
      await tellFailure(error)
    } finally {
      setBusy(false)
    }
  }

  const tellFailure = async (error: unknown) => {
    if (isApiError(error, 'ERR_CONFLICT') && row) return setTheirs(await currentRow(screen, row.id, error.details))
    const problems = isApiError(error) ? problemsOf(screen, error) : []
    form.setErrors(Object.fromEntries(problems.map((one) => [one.path, one.message])))
    setProblem(messageOf(error))
    setRefusal(isApiError(error) ? error : null)
  }

  const handleReload = () => {
    if (!theirs) return
    shown.current = theirs
    const next = valuesOf(screen, theirs)
    form.setInitialValues(next)
    form.setValues(next)
    form.clearErrors()
    setTheirs(null)
    onSaved(theirs)
  }

  const name = resource.label.one.toLowerCase()
  const fieldErrors = Object.entries(form.errors).map(
    ([path, message]) => `${labelOf(screen, path)}: ${String(message)}`,
  )
  const summary = problem && fieldErrors.length === 0 ? [problem] : fieldErrors.length > 1 || problem ? fieldErrors : []
  return (
    <FormDrawer
      opened
      title={readOnly ? resource.label.one : row ? `Editar ${name}` : `Criar ${name}`}
      onClose={onClose}
      onSubmit={form.onSubmit(() => void save(shown.current))}
      dirty={dirty && !readOnly}
      busy={busy}
      readOnly={readOnly}
      submitLabel={row ? 'Salvar' : 'Criar'}
      problems={summary}
      footer={footer}
    >
      {theirs && row && (
        <Alert color="amber" icon={<IconUsers size={18} />} title="Outra pessoa alterou este registro" role="alert">
          <ul style={{ margin: '0 0 12px', paddingLeft: 18 }}>
            {changesBetween(screen, valuesOf(screen, shown.current), valuesOf(screen, theirs)).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={handleReload}>
              Recarregar
            </Button>
            <Button
              size="xs"
              color="amber"
              onClick={() => {
                shown.current = theirs
                setTheirs(null)
                void save(theirs)
              }}
            >
              Salvar por cima
            </Button>
          </Group>
        </Alert>
      )}
      {refusal && screen.explain?.(refusal)}
      {screen.fields(form, row)}
    </FormDrawer>
  )
}

/** What the form shows: the row's own values, or the schema's defaults for a new one. */
export const valuesOf = ({ resource, newValues, toValues }: PlainScreen, row: PlainRow | null): Values => {
  const entries = Object.entries(resource.write.shape).map(([key, schema]): [string, unknown] => {
    if (row) return [key, row[key] ?? null]
    const fallback = schema.safeParse(undefined)
    return [key, newValues?.[key] ?? (fallback.success ? fallback.data : '')]
  })
  const values = Object.fromEntries(entries)
  return row && toValues ? { ...values, ...toValues(row) } : values
}

const problemsOf = ({ refusedField }: PlainScreen, error: ApiError): FieldProblem[] => {
  const field = isErrorCode(error.code) ? refusedField?.[error.code] : undefined
  return error.problems.length === 0 && field ? [{ path: field, message: error.message }] : error.problems
}

const labelOf = ({ columns, labels }: PlainScreen, path: string) => {
  const key = path.split('.')[0] ?? path
  return labels?.[key] ?? columns.find((column) => column.key === key)?.label ?? key
}

const changesBetween = (screen: PlainScreen, before: Values, after: Values) => {
  const lines = Object.keys(after)
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => `${labelOf(screen, key)}: ${asText(before[key])} → ${asText(after[key])}`)
  return lines.length ? lines : ['Os campos são os mesmos; apenas a versão mudou.']
}

const asText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'vazio'
  if (typeof value === 'boolean') return value ? 'sim' : 'não'
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} itens`
  return typeof value === 'object' ? 'alterado' : `“${String(value)}”`
}

const currentRow = async ({ resource }: PlainScreen, id: string, details: unknown): Promise<PlainRow> => {
  const sent: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, 'current') : null
  if (typeof sent === 'object' && sent !== null && 'version' in sent) return sent as PlainRow // the server's own row, as GET would answer
  return api.get<PlainRow>(`${resource.path}/${id}`)
}
