import type { Contact, ContactWrite } from '@balcao/contract/contacts/contacts.ts'
import { type Lane, laneResource } from '@balcao/contract/contacts/lanes.ts'
import { showIdentity } from '@balcao/contract/identity.ts'
import { ActionIcon, Button, Group, Input, Select, SimpleGrid, TextInput, UnstyledButton } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { PhoneInput } from '../../../features/contacts/contacts/phone-input.tsx'
import { revealDocument } from '../../../features/contacts/contacts/queries.ts'
import { cepIn, cepQuery, showCep } from '../../../features/conversations/places/api.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { allRows } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'

type Props = { form: UseFormReturnType<ContactWrite>; contact: Contact | null }

/** Other phones of the same person, one below the other. */
export const Phones = ({ form }: Props) => {
  const { phones } = form.values
  return (
    <Input.Wrapper label="Outros telefones" labelElement="div">
      {phones.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a phone has no identity but its place
        <Group key={index} gap="xs" mt="xs" wrap="nowrap" align="flex-start">
          <PhoneInput flex={1} aria-label={`Outro telefone ${index + 1}`} {...form.getInputProps(`phones.${index}`)} />
          <ActionIcon
            mt={4}
            aria-label={`Remover telefone ${index + 1}`}
            onClick={() => form.removeListItem('phones', index)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      {phones.length < 10 && (
        <div>
          <Button
            variant="subtle"
            size="xs"
            mt="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onPointerDown={(event) => event.preventDefault()} // leaving a field may show its error, and would move this from under the finger
            onClick={() => form.insertListItem('phones', '')}
          >
            Adicionar telefone
          </Button>
        </div>
      )}
    </Input.Wrapper>
  )
}

export const LaneSelect = ({ form }: Props) => {
  const lanes = useQuery(allRows<Lane>(laneResource)).data ?? []
  const usable = lanes.filter(({ id, isActive }) => isActive || id === form.values.kanban)
  if (lanes.length === 0) return null
  return (
    <Select
      label="Etapa"
      description="Onde este contato está no quadro."
      data={usable.toSorted((a, b) => a.position - b.position).map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      clearable
      placeholder="Sem etapa"
      nothingFoundMessage="Nenhuma etapa encontrada"
      {...form.getInputProps('kanban')}
    />
  )
}

export const DocumentInput = ({ form, contact }: Props) => {
  const mayReveal = useCan('contacts.documents')
  const reveal = useMutation({ mutationFn: revealDocument, onError: (error) => notify.error(reasonOf(error)) })
  const value = form.values.document ?? ''
  const isMasked = value.includes('*')
  const whole = isMasked ? reveal.data?.document : undefined
  return (
    <TextInput
      label="CPF ou CNPJ"
      autoComplete="off"
      maxLength={30}
      description={whole ? `Completo: ${showIdentity(whole)}` : undefined}
      rightSectionWidth={84}
      rightSection={
        contact &&
        isMasked &&
        mayReveal &&
        !whole && (
          <UnstyledButton fz="sm" c="var(--mantine-color-anchor)" onClick={() => reveal.mutate(contact.id)}>
            Mostrar
          </UnstyledButton>
        )
      }
      {...form.getInputProps('document')}
      value={value}
      onFocus={(event) => isMasked && event.currentTarget.select()}
      onBlur={(event) => {
        if (value && !isMasked) form.setFieldValue('document', showIdentity(value))
        form.getInputProps('document').onBlur?.(event)
      }}
    />
  )
}

/** The street comes with the CEP; what somebody typed stays. */
export const AddressFields = ({ form }: Props) => {
  const cache = useQueryClient()
  const fill = async (text: string) => {
    const cep = cepIn(text)
    if (!cep) return
    const found = await cache.fetchQuery(cepQuery(cep)).catch(() => null)
    const now = form.getValues().address
    if (!found || !now || cepIn(now.cep) !== cep) return
    form.setFieldValue('address', {
      ...now,
      street: now.street || found.street,
      district: now.district || found.district,
      city: now.city || found.city,
      state: now.state || found.state,
    })
  }
  const at = (name: keyof NonNullable<ContactWrite['address']>) => form.getInputProps(`address.${name}`)
  return (
    <Input.Wrapper label="Endereço" labelElement="div">
      <SimpleGrid cols={2} spacing="xs" mt={4}>
        <TextInput
          label="CEP"
          placeholder="01001-000"
          inputMode="numeric"
          maxLength={9}
          {...at('cep')}
          onChange={(event) => {
            form.setFieldValue('address.cep', event.currentTarget.value)
            void fill(event.currentTarget.value)
          }}
          onBlur={(event) => {
            const cep = cepIn(event.currentTarget.value)
            if (cep) form.setFieldValue('address.cep', showCep(cep))
            at('cep').onBlur?.(event)
          }}
        />
        <TextInput label="Estado" placeholder="SP" maxLength={2} {...at('state')} />
      </SimpleGrid>
      <TextInput mt="xs" label="Rua" maxLength={200} {...at('street')} />
      <SimpleGrid cols={2} spacing="xs" mt="xs">
        <TextInput label="Número" aria-label="Número do endereço" maxLength={20} {...at('number')} />
        <TextInput label="Complemento" maxLength={100} {...at('complement')} />
        <TextInput label="Bairro" maxLength={100} {...at('district')} />
        <TextInput label="Cidade" maxLength={100} {...at('city')} />
      </SimpleGrid>
    </Input.Wrapper>
  )
}
