import type { User } from '@balcao/contract/people/users.ts'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { inviteQuery } from './api.ts'
import { InviteLink } from './invite-field.tsx'

/** The link of somebody who was just added, to hand over. */
export const InviteDialog = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const invite = useQuery(inviteQuery(user.id))
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Convite de {user.name}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Stack gap="md">
        {invite.data ? (
          <InviteLink invite={invite.data} email={user.email} />
        ) : invite.isError ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {messageOf(invite.error)} Abra a pessoa na lista para convidar de novo.
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            Preparando o link…
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>Pronto</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
