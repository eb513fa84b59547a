import { inputRules } from '@balcao/contract/resource.ts'
import type { ReactNode } from 'react'
import { ConflictNotice } from '../ui/conflict-notice.tsx'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { notify } from '../ui/notify.ts'
import { resolverOf } from './form.ts'
import { type PlainRow, saveRow } from './resource-api.ts'
import type { LabelledScreen, Values } from './resource-screen.tsx'
import { useRowForm } from './use-row-form.ts'

type Props = {
  screen: LabelledScreen
  row: PlainRow | null
  readOnly: boolean
  onClose: () => void
  onSaved: (row: PlainRow, written: Values) => void
  footer?: ReactNode
}

/** Create or edit, beside the list. What the server refuses goes to its field; what a colleague changed is shown before it is lost. */
export const ResourceForm = ({ screen, row, readOnly, onClose, onSaved, footer }: Props) => {
  const { resource, columns, labels } = screen
  const columnOf = (field: string) => columns.find((column) => column.key === field)
  const labelOf = (path: string) => {
    const field = path.split('.')[0] ?? path
    return labels?.[field] ?? columnOf(field)?.label ?? resource.fields[field] ?? field
  }
  const { form, drawer, conflict, refusal } = useRowForm<PlainRow, Values>({
    row,
    valuesOf: (of) => valuesOf(screen, of),
    validate: resolverOf(resource.write, screen.check),
    save: async (values, base, newId) => {
      const parsed = resource.write.parse(values)
      return saveRow(resource, base, (await screen.beforeSave?.(parsed, base)) ?? parsed, newId)
    },
    onSaved: (saved, written) => {
      if (!row) notify.success(`${resource.label.one}: cadastro concluído.`)
      onSaved(saved, written)
    },
    labelOf,
    textOf: (field, of) => columnOf(field)?.csv?.(of),
    refusedField: screen.refusedField,
  })

  const { shape } = resource.write
  const inputOf = (field: string) => ({
    label: labelOf(field),
    ...inputRules(shape[field] ?? resource.write),
    ...(field === Object.keys(shape)[0] && { 'data-autofocus': true }),
    ...form.getInputProps(field),
  })
  const name = resource.label.one.toLowerCase()
  return (
    <FormDrawer
      opened
      title={readOnly ? resource.label.one : row ? `Editar ${name}` : (screen.createLabel ?? `Criar ${name}`)}
      onClose={onClose}
      {...drawer}
      dirty={drawer.dirty && !readOnly}
      readOnly={readOnly}
      submitLabel={row ? 'Salvar' : (screen.createLabel?.split(' ')[0] ?? 'Criar')}
      footer={footer}
    >
      {conflict && <ConflictNotice {...conflict} />}
      {refusal && screen.explain?.(refusal)}
      {screen.fields?.(form, row, inputOf)}
    </FormDrawer>
  )
}

/** What the form shows: the row's own values, or the schema's defaults for a new one. */
const valuesOf = ({ resource, newValues, toValues }: LabelledScreen, row: PlainRow | null): Values => {
  const entries = Object.entries(resource.write.shape).map(([key, schema]): [string, unknown] => {
    if (row) return [key, row[key] ?? null]
    const fallback = schema.safeParse(undefined)
    return [key, newValues?.[key] ?? (fallback.success ? fallback.data : '')]
  })
  const values = Object.fromEntries(entries)
  return row && toValues ? { ...values, ...toValues(row) } : values
}
