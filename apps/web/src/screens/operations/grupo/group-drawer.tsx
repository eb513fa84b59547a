import type { GroupRow } from '@balcao/contract/operations/group-list.ts'
import { Alert, Badge, Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { groupCard } from '../../../features/operations/groups/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useGo } from '../../../kit/use-go.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './groups-screen.module.css'

/** One group: what it says of itself, its link and who is in it. */
export const GroupDrawer = ({ row, onClose }: { row: GroupRow; onClose: () => void }) => {
  const go = useGo()
  const card = useQuery({ ...groupCard(row.connection.id, row.groupId), staleTime: 30_000 })
  const { description, inviteUrl, ticketId } = card.data?.group ?? row
  const people = card.data?.participants ?? []
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={460}
      title={<Text fw={600}>{row.name}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {row.connection.name}
          {row.isAdminsOnly ? ' · só administradores escrevem' : ''}
        </Text>
        {description && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {description}
          </Text>
        )}
        {inviteUrl && <CopyField label="Link de convite" value={inviteUrl} />}
        {ticketId && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconMessage size={18} aria-hidden />}
              onClick={(event) => go(`/atendimento/${ticketId}`, event)}
            >
              Abrir conversa
            </Button>
          </Group>
        )}
        {card.data?.problem && <Alert color="yellow">{card.data.problem} O que aparece é o que se sabia.</Alert>}
        {card.isPending ? (
          <SkeletonList rows={5} height={44} />
        ) : card.isError ? (
          <ErrorState message={messageOf(card.error)} onRetry={() => void card.refetch()} />
        ) : (
          <>
            <Text fw={600} size="sm">
              {people.length ? `${formatNumber(people.length)} pessoas` : 'O canal não conta quem está neste grupo.'}
            </Text>
            <ul className={classes.list}>
              {people.map((one) => (
                <li key={one.id} className={classes.person}>
                  <Avatar name={one.name} src={one.profilePicUrl} size={32} />
                  <span className={classes.words}>
                    <span className="truncate">
                      {one.name}
                      {one.isUs && ' (este número)'}
                    </span>
                    {one.number && (
                      <span className={classes.meta}>
                        <PhoneText number={one.number} />
                      </span>
                    )}
                  </span>
                  {one.role !== 'member' && <Badge variant="light">{one.role === 'owner' ? 'Criador' : 'Admin'}</Badge>}
                </li>
              ))}
            </ul>
          </>
        )}
      </Stack>
    </Drawer>
  )
}
