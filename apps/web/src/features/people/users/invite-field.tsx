import type { User, UserInvite } from '@balcao/contract/people/users.ts'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { OwnMachineNote } from '../../../ui/own-machine-note.tsx'
import { inviteUser } from './api.ts'

/** Who was never here gets a link to choose their own name and password. */
export const InviteField = ({ user: { id, email } }: { user: User }) => {
  const invite = useMutation({ mutationFn: () => inviteUser(id) })
  return (
    <Alert variant="default" p="sm" title="Ainda não entrou">
      <Stack gap="xs" align="stretch">
        <Text size="sm" c="dimmed">
          Com um convite, a pessoa confirma o nome e cria a própria senha.
        </Text>
        {invite.data ? (
          <InviteLink invite={invite.data} email={email} />
        ) : (
          <Button
            variant="default"
            leftSection={<IconMailForward size={18} aria-hidden />}
            loading={invite.isPending}
            onClick={() => invite.mutate()}
          >
            Convidar
          </Button>
        )}
        {invite.isError && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {messageOf(invite.error)}
          </Text>
        )}
      </Stack>
    </Alert>
  )
}

/** The link, and whether it is on its way by mail already. */
export const InviteLink = ({ invite, email }: { invite: UserInvite; email: string }) => (
  <>
    <CopyField
      label="Link do convite"
      value={invite.link}
      description={
        invite.isMailed
          ? `Enviado para ${email}. Vale por 7 dias e uma vez só.`
          : 'Copie e envie à pessoa. Vale por 7 dias e uma vez só.'
      }
    />
    <OwnMachineNote address={invite.link} />
  </>
)
