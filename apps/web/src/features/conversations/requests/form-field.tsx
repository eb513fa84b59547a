import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { formsQuery } from './api.ts'

type Form = NonNullable<Interactive['form']>
type Props = {
  connectionId: string | null
  value: Form | null
  onChange: (form: Form) => void
  error: ReactNode
}

/** One of the forms the account has published, and the screen it opens with. */
export const FormField = ({ connectionId, value, onChange, error }: Props) => {
  const forms = useQuery({ ...formsQuery(connectionId ?? ''), enabled: connectionId !== null })
  const items = forms.data?.items ?? []
  const isNone = forms.isSuccess && items.length === 0
  const known = value && !items.some(({ id }) => id === value.id) ? [...items, value] : items
  return (
    <>
      <SearchSelect
        label="Formulário"
        placeholder={forms.isLoading ? 'Buscando na Meta…' : 'Escolha um formulário publicado'}
        description={
          isNone ? 'Esta conta ainda não publicou formulários. Crie-os no Gerenciador do WhatsApp.' : undefined
        }
        nothingFoundMessage="Nenhum formulário publicado com este nome."
        data={known.map(({ id, name }) => ({ value: id, label: name || id }))}
        value={value?.id ?? null}
        error={error || (forms.error ? messageOf(forms.error) : undefined)}
        onChange={(id) => {
          const chosen = known.find((one) => one.id === id)
          if (chosen) onChange({ id: chosen.id, name: chosen.name, screen: '' })
        }}
      />
      {value && (
        <TextInput
          label="Primeira tela"
          description="Opcional: o identificador da tela. Vazio, o formulário abre na sua própria primeira."
          maxLength={80}
          value={value.screen}
          onChange={(event) => onChange({ ...value, screen: event.currentTarget.value })}
        />
      )}
    </>
  )
}
