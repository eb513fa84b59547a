import type { ContactWrite } from '@balcao/contract/contacts/contacts.ts'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { FieldInput } from './field-input.tsx'
import { contactFieldsQuery } from './fields-api.ts'
import { valueIn, withValue } from './values.ts'

/** The company's own fields in the form of a contact, each by its type. */
export const CustomFields = ({ form }: { form: UseFormReturnType<ContactWrite> }) => {
  const fields = useQuery(contactFieldsQuery)
  const { extraInfo } = form.values
  return (fields.data ?? []).map((field) => {
    const index = extraInfo.findIndex((one) => one.name === field.key)
    return (
      <FieldInput
        key={field.id}
        field={field}
        value={valueIn(extraInfo, field.key)}
        error={form.errors[`extraInfo.${index}.value`]}
        onChange={(value) => {
          form.clearFieldError(`extraInfo.${index}.value`)
          form.setFieldValue('extraInfo', withValue(extraInfo, field.key, value))
        }}
      />
    )
  })
}
