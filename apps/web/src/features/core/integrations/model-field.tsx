import type { IntegrationKind } from '@balcao/contract/core/integrations/index.ts'
import { isModelKind, type ModelKind } from '@balcao/contract/core/integrations/models.ts'
import type { ConfigField } from '@balcao/contract/core/providers/fields.ts'
import { Autocomplete, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { modelsQuery } from './api.ts'

type Props = {
  kind: IntegrationKind
  id: string | undefined
  field: ConfigField
  /** The whole form, as it would be saved. */
  config: Record<string, unknown>
  form: { getInputProps: (path: string) => { error?: ReactNode } }
}

/** A model of the account: chosen from what it offers now, or typed. */
export const ModelField = ({ kind, ...props }: Props) => (isModelKind(kind) ? <Field kind={kind} {...props} /> : null)

const Field = ({ kind, id, field, config, form }: Props & { kind: ModelKind }) => {
  /** What stood in the form when the list was opened: typing a model is no reason to ask again. */
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null)
  const offered = useQuery({ ...modelsQuery({ kind, id, config: asked ?? {} }), enabled: asked !== null })
  const { model: _, audioModel: __, embeddingModel: ___, ...account } = config
  const all = offered.data?.models ?? []
  const models = all.filter((name) => purposeOf(name) === field.suggests)
  const problem = offered.data?.problem ?? (offered.error ? messageOf(offered.error) : null)
  const input = form.getInputProps(`config.${field.name}`)
  return (
    <Autocomplete
      label={field.label}
      description={field.help}
      placeholder={field.placeholder}
      required={field.required}
      data={models}
      limit={200}
      maxDropdownHeight={260}
      filter={({ options, search }) =>
        models.includes(search)
          ? options
          : options.filter((one) => 'value' in one && one.value.toLowerCase().includes(search.trim().toLowerCase()))
      }
      onDropdownOpen={() => setAsked(account)}
      rightSection={offered.isFetching ? <Loader size={16} aria-label="Lendo os modelos da conta" /> : undefined}
      autoComplete="off"
      {...input}
      error={input.error ?? problem}
    />
  )
}

/** What a model is for, by its name: lists do not say. */
const purposeOf = (name: string) => {
  if (/whisper|transcri|speech|voxtral/i.test(name)) return 'audioModels'
  return /embed|\bbge\b|\be5\b|\bgte\b|minilm/i.test(name) ? 'embeddingModels' : 'models'
}
