import type { Contact, ContactWrite } from '@balcao/contract/contacts/contacts.ts'
import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { MultiSelect, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { CustomFields } from '../../../features/contacts/contacts/custom-fields.tsx'
import { ExtraFields } from '../../../features/contacts/contacts/extra-fields.tsx'
import { Identities } from '../../../features/contacts/contacts/identities.tsx'
import { PhoneInput } from '../../../features/contacts/contacts/phone-input.tsx'
import { userOptions } from '../../../features/people/users/api.ts'
import { allRows } from '../../../kit/resource-api.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { AddressFields, DocumentInput, LaneSelect, Phones } from './card-fields.tsx'

type Props = { form: UseFormReturnType<ContactWrite>; contact: Contact | null }

/** What a person may know and change about a contact. */
export const ContactFields = ({ form, contact }: Props) => {
  const tags = useQuery(allRows<Tag>(tagResource))
  const people = useQuery(userOptions)
  const usable = (tags.data ?? []).filter((tag) => tag.isActive)
  return (
    <>
      <TextInput label="Nome" required maxLength={120} data-autofocus {...form.getInputProps('name')} />
      <PhoneInput
        label="Telefone"
        description="Com DDD. De fora do Brasil, comece com +."
        {...form.getInputProps('number')}
      />
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
        value={form.values.email ?? ''}
      />
      <Phones form={form} contact={contact} />
      <TextInput label="Empresa" maxLength={120} {...form.getInputProps('businessName')} />
      <DocumentInput form={form} contact={contact} />
      <DateField
        label="Aniversário"
        maxDate={new Date()}
        {...form.getInputProps('birthdayDate')}
        value={form.values.birthdayDate ?? ''}
      />
      <MultiSelect
        label="Etiquetas"
        data={optionsOf(usable, contact?.tags)}
        searchable
        clearable
        hidePickedOptions
        placeholder={form.values.tagIds.length ? undefined : 'Escolha as etiquetas'}
        nothingFoundMessage={tags.isPending ? 'Carregando…' : 'Nenhuma etiqueta encontrada'}
        {...form.getInputProps('tagIds')}
      />
      <MultiSelect
        label="Carteira"
        description="Quem cuida deste contato."
        data={optionsOf(people.data ?? [], contact?.wallets)}
        searchable
        clearable
        hidePickedOptions
        placeholder={form.values.walletIds.length ? undefined : 'Escolha as pessoas'}
        nothingFoundMessage={people.isPending ? 'Carregando…' : 'Ninguém encontrado'}
        {...form.getInputProps('walletIds')}
      />
      <LaneSelect form={form} contact={contact} />
      <Switch
        label="Só com pessoas"
        description="Fluxos, assistentes e respostas automáticas não falam com este contato."
        {...form.getInputProps('isBotBlocked', { type: 'checkbox' })}
      />
      <AddressFields form={form} contact={contact} />
      <Textarea
        label="Observações"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={4_000}
        {...form.getInputProps('notes')}
      />
      <CustomFields form={form} />
      <ExtraFields form={form} />
      {contact && <Identities identities={contact.identities} />}
    </>
  )
}

type Named = { id: string; name: string }

/** What may be chosen, and what the contact already carries though it may no longer be chosen. */
const optionsOf = (usable: readonly Named[], carried: readonly Named[] = []) => {
  const missing = carried.filter((one) => !usable.some((other) => other.id === one.id))
  return [...usable, ...missing].map(({ id, name }) => ({ value: id, label: name }))
}
