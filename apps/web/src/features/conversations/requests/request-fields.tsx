import type { RequestKind } from '@balcao/contract/conversations/interactive.ts'
import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import { Select, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormField } from './form-field.tsx'
import { ProductsField } from './products-field.tsx'

type Props = {
  value: Interactive
  onChange: (value: Interactive) => void
  /** Whose forms and catalogue are offered; null while no channel is chosen. */
  connectionId: string | null
  kinds: readonly RequestKind[]
  errorOf: (path: string) => ReactNode
  /** The words above it. */
  children: ReactNode
}

/** Words with one thing to do under them: what it is, and what that needs. */
export const RequestFields = ({ value, onChange, connectionId, kinds, errorOf, children }: Props) => {
  const { kind, header, footer, button, url, form } = value
  const change = (next: Partial<Interactive>) => onChange({ ...value, ...next })
  const hasHeader = kind === 'link' || kind === 'form' || kind === 'products'
  return (
    <Stack gap={14} miw={0}>
      <Select
        label="O que o cliente faz"
        data={kinds.map((one) => ({ value: one, label: requestLabels[one] }))}
        value={kind}
        allowDeselect={false}
        onChange={(chosen) => {
          const next = kinds.find((one) => one === chosen)
          if (next) onChange({ ...blankRequest(next), header, footer, button })
        }}
      />
      {children}
      {kind === 'form' && (
        <FormField
          connectionId={connectionId}
          value={form ?? null}
          onChange={(chosen) => change({ form: chosen })}
          error={errorOf('form')}
        />
      )}
      {(kind === 'link' || kind === 'form') && (
        <TextInput
          label="Texto do botão"
          placeholder={kind === 'link' ? 'Acompanhar pedido' : 'Preencher'}
          maxLength={20}
          value={button}
          error={errorOf('button')}
          onChange={(event) => change({ button: event.currentTarget.value })}
        />
      )}
      {kind === 'link' && (
        <TextInput
          type="url"
          label="Endereço do link"
          placeholder="https://"
          maxLength={2_000}
          value={url ?? ''}
          error={errorOf('url')}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
      )}
      {(kind === 'catalog' || kind === 'products') && (
        <ProductsField
          connectionId={connectionId}
          isWhole={kind === 'catalog'}
          value={value.catalog}
          onChange={(catalog) => change({ catalog })}
          error={errorOf('catalog')}
        />
      )}
      {hasHeader && (
        <TextInput
          label="Título"
          description={kind === 'products' ? 'Aparece com mais de um produto.' : 'Opcional.'}
          maxLength={60}
          value={header}
          error={errorOf('header')}
          onChange={(event) => change({ header: event.currentTarget.value })}
        />
      )}
      {kind !== 'place' && (
        <TextInput
          label="Rodapé"
          description="Opcional."
          maxLength={60}
          value={footer}
          onChange={(event) => change({ footer: event.currentTarget.value })}
        />
      )}
    </Stack>
  )
}

export const requestLabels: Record<RequestKind, string> = {
  place: 'Enviar a localização',
  link: 'Abrir um link',
  form: 'Preencher um formulário',
  catalog: 'Ver o catálogo',
  products: 'Escolher produtos',
  address: 'Informar o endereço',
}

export const blankRequest = (kind: RequestKind): Interactive => ({
  kind,
  header: '',
  footer: '',
  button: '',
  options: [],
})

/** Only what its kind has. */
export const tidyRequest = (asked: Interactive): Interactive => {
  const { kind, header, footer, button, url, form, catalog } = asked
  const hasHeader = kind === 'link' || kind === 'form' || kind === 'products'
  return {
    kind,
    header: hasHeader ? header.trim() : '',
    footer: kind === 'place' ? '' : footer.trim(),
    button: kind === 'link' || kind === 'form' ? button.trim() : '',
    options: [],
    ...(kind === 'link' && { url: url?.trim() }),
    ...(kind === 'form' && { form }),
    ...(kind === 'products' &&
      catalog && { catalog: { ...catalog, sections: catalog.sections.filter(({ products }) => products.length) } }),
  }
}
