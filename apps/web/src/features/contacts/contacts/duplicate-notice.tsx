import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { Alert, Button, Text } from '@mantine/core'
import { IconUserExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ApiError } from '../../../kit/api-error.ts'
import { resourceRow } from '../../../kit/resource-api.ts'
import { contactResource } from './contact-resource.ts'
import { PhoneText } from './phone-text.tsx'

/** "This number is already Maria's", with the way to her. */
export const DuplicateNotice = ({ error }: { error: ApiError }) => {
  const otherId = error.code === 'ERR_DUPLICATED_CONTACT' ? contactIdIn(error.details) : null
  return otherId && <OtherContact id={otherId} />
}

const OtherContact = ({ id }: { id: string }) => {
  const other = useQuery({ ...resourceRow(contactResource, id), retry: false })
  const contact = other.data as Contact | undefined // the row of contactResource
  if (other.isPending) return null
  return (
    <Alert color="amber" icon={<IconUserExclamation size={18} />} title="Este número já tem contato">
      {contact ? (
        <>
          <Text fw={500}>{contact.name}</Text>
          {contact.number && (
            <Text c="dimmed" size="sm">
              <PhoneText number={contact.number} />
            </Text>
          )}
          <Button component={Link} to={`/contatos?registro=${id}`} target="_blank" variant="default" size="xs" mt="xs">
            Abrir em outra aba
          </Button>
        </>
      ) : (
        'Ele está na carteira de outra pessoa. Fale com o supervisor para atendê-lo.'
      )}
    </Alert>
  )
}

const contactIdIn = (details: unknown): string | null => {
  const found: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, 'contactId') : null
  return typeof found === 'string' ? found : null
}
