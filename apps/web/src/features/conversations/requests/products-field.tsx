import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import { ActionIcon, Button, Group, Input, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { catalogQuery } from './api.ts'

type Catalog = NonNullable<Interactive['catalog']>
type Section = Catalog['sections'][number]
type Props = {
  connectionId: string | null
  /** All of it is shown: there is nothing to choose. */
  isWhole: boolean
  value: Catalog | undefined
  onChange: (catalog: Catalog) => void
  error: ReactNode
}

/** Products of the catalogue connected to the account, in sections. */
export const ProductsField = ({ connectionId, isWhole, value, onChange, error }: Props) => {
  const [search, setSearch] = useState('')
  const [searchParam] = useDebouncedValue(search, 250)
  const { data, error: failure } = useQuery({
    ...catalogQuery(connectionId ?? '', searchParam),
    enabled: connectionId !== null,
  })
  const id = data?.id ?? null
  if (failure)
    return (
      <Text c="red" size="sm">
        {messageOf(failure)}
      </Text>
    )
  if (data && !id)
    return (
      <Text size="sm" c="dimmed">
        Esta conta ainda não tem um catálogo conectado. Conecte-o no Gerenciador de Comércio da Meta.
      </Text>
    )
  if (isWhole) return null

  const sections: Section[] = value?.sections.length ? value.sections : [{ title: '', products: [] }]
  const chosen = sections.flatMap(({ products }) => products)
  const known = new Map([...chosen, ...(data?.products ?? [])].map((one) => [one.id, one.name]))
  const set = (next: Section[]) => id && onChange({ id, sections: next })
  const change = (at: number, next: Partial<Section>) =>
    set(sections.map((one, index) => (index === at ? { ...one, ...next } : one)))
  return (
    <Input.Wrapper label="Produtos" labelElement="div" error={error}>
      <Stack gap={8}>
        {sections.map((section, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a section has no name but its place
          <Group key={at} gap={4} wrap="nowrap" align="flex-start">
            <Stack gap={4} flex={1} miw={0}>
              {sections.length > 1 && (
                <TextInput
                  aria-label={`Nome da seção ${at + 1}`}
                  placeholder={`Nome da seção ${at + 1}`}
                  maxLength={24}
                  value={section.title}
                  onChange={(event) => change(at, { title: event.currentTarget.value })}
                />
              )}
              <MultiSelect
                aria-label={sections.length > 1 ? `Produtos da seção ${at + 1}` : 'Produtos'}
                placeholder={section.products.length ? undefined : 'Busque pelo nome'}
                searchable
                hidePickedOptions
                maxValues={30}
                nothingFoundMessage="Nenhum produto com este nome."
                onSearchChange={setSearch}
                data={[...known].map(([key, name]) => ({
                  value: key,
                  label: name || key,
                  disabled: chosen.some((one) => one.id === key) && !section.products.some((one) => one.id === key),
                }))}
                value={section.products.map((one) => one.id)}
                onChange={(ids) =>
                  change(at, { products: ids.map((key) => ({ id: key, name: known.get(key) ?? key })) })
                }
              />
            </Stack>
            {sections.length > 1 && (
              <ActionIcon aria-label={`Remover a seção ${at + 1}`} onClick={() => set(sections.toSpliced(at, 1))}>
                <IconTrash size={17} stroke={1.75} />
              </ActionIcon>
            )}
          </Group>
        ))}
        {sections.length < 10 && (
          <Group>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPlus size={15} aria-hidden />}
              onClick={() => set([...sections, { title: '', products: [] }])}
            >
              Adicionar seção
            </Button>
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  )
}
