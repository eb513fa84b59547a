import type { ContactWrite } from '@balcao/contract/contacts/contacts.ts'
import { ActionIcon, Button, Group, Input, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { contactFieldsQuery } from './fields-api.ts'

/** Pairs of name and value that somebody invents: "Tamanho: M"; what has a definition of its own stands above. */
export const ExtraFields = ({ form }: { form: UseFormReturnType<ContactWrite> }) => {
  const fields = useQuery(contactFieldsQuery)
  const isDefined = (name: string) => (fields.data ?? []).some((field) => field.key === name)
  return (
    <Input.Wrapper
      label="Outros campos"
      labelElement="div"
      description="O que mais vale lembrar, como o número do calçado."
    >
      {form.values.extraInfo.map(
        ({ name }, index) =>
          !isDefined(name) && (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no identity but its place
            <Group key={index} gap="xs" mt="xs" wrap="nowrap" align="flex-start">
              <TextInput
                flex={1}
                miw={0}
                placeholder="Campo"
                aria-label={`Nome do campo ${index + 1}`}
                maxLength={60}
                {...form.getInputProps(`extraInfo.${index}.name`)}
              />
              <TextInput
                flex={1.4}
                miw={0}
                placeholder="Valor"
                aria-label={`Valor do campo ${index + 1}`}
                maxLength={500}
                {...form.getInputProps(`extraInfo.${index}.value`)}
              />
              <ActionIcon
                aria-label={`Remover campo ${index + 1}`}
                onClick={() => form.removeListItem('extraInfo', index)}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
          ),
      )}
      {form.values.extraInfo.length < 50 && (
        <Button
          variant="subtle"
          size="xs"
          mt="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onPointerDown={(event) => event.preventDefault()} // leaving a field may show its error, and would move this from under the finger
          onClick={() => form.insertListItem('extraInfo', { name: '', value: '' })}
        >
          Adicionar campo
        </Button>
      )}
    </Input.Wrapper>
  )
}
