import type { GroupMember } from '@balcao/contract/conversations/groups.ts'
import type { GroupRow } from '@balcao/contract/operations/group-list.ts'
import { ActionIcon, Alert, Badge, Button, Drawer, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { IconDots, IconMessage, IconSearch } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Virtuoso } from 'react-virtuoso'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { findMembers } from '../../../features/conversations/groups/find.ts'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { enqueueGroupAct, groupCard } from '../../../features/operations/groups/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useGo } from '../../../kit/use-go.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './groups-screen.module.css'

/** One group: what it says of itself, its link and who is in it. */
export const GroupDrawer = ({ row, onClose }: { row: GroupRow; onClose: () => void }) => {
  const go = useGo()
  const card = useQuery({ ...groupCard(row.connection.id, row.groupId), staleTime: 30_000 })
  const { description, inviteUrl, ticketId } = card.data?.group ?? row
  const people = card.data?.participants ?? []
  const [search, setSearch] = useState('')
  const found = findMembers(people, search)
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
            {people.length >= searchedFrom && (
              <TextInput
                type="search"
                aria-label="Buscar pessoa"
                placeholder="Buscar por nome ou número"
                leftSection={<IconSearch size={16} aria-hidden />}
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
              />
            )}
            {found.length === 0 && search && (
              <Text size="sm" c="dimmed">
                Ninguém no grupo com “{search}”.
              </Text>
            )}
            <Virtuoso
              style={{ height: Math.min(found.length, mostShown) * rowHeight }}
              data={found}
              fixedItemHeight={rowHeight}
              computeItemKey={(_, one) => one.id}
              itemContent={(_, one) => <Person row={card.data?.group ?? row} one={one} />}
            />
          </>
        )}
      </Stack>
    </Drawer>
  )
}
const searchedFrom = 10
const rowHeight = 48
const mostShown = 12

const asks = {
  promote: 'Tornar administrador',
  demote: 'Tirar da administração',
  remove: 'Remover do grupo',
} as const
/** Somebody of the group, and what can be done with them there: the same jobs as over many groups. */
const Person = ({ row, one }: { row: GroupRow; one: GroupMember }) => {
  const cache = useQueryClient()
  const mayWrite = useCan('groups.write')
  const [isRemoving, setRemoving] = useState(false)
  const { acts } = row.connection
  const leads = row.ourRole === 'admin' || row.ourRole === 'owner'
  const kinds = (one.role === 'member' ? (['promote', 'remove'] as const) : (['demote', 'remove'] as const)).filter(
    (kind) => acts.includes(kind),
  )
  const act = useMutation({
    mutationFn: (kind: keyof typeof asks) =>
      enqueueGroupAct({ act: { kind, numbers: [one.id], invites: false }, ids: [row.id], restSeconds: 3 }),
    onSuccess: (job) => {
      receiveJob(cache, job)
      setRemoving(false)
      notify.success('Na fila: acompanhe acima da lista.')
    },
    onError: (error) => notify.error(messageOf(error)),
  })
  return (
    <div className={classes.person}>
      <Avatar name={one.name} src={one.profilePicUrl} size={32} />
      <span className={classes.words}>
        <span className="truncate">
          {one.name}
          {one.isUs && ' (este número)'}
        </span>
        {one.number && one.name.replace(/\D/g, '') !== one.number && (
          <span className={classes.meta}>
            <PhoneText number={one.number} />
          </span>
        )}
      </span>
      {one.role !== 'member' && <Badge variant="light">{one.role === 'owner' ? 'Criador' : 'Admin'}</Badge>}
      {mayWrite && leads && !one.isUs && one.role !== 'owner' && kinds.length > 0 && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Ações de ${one.name}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {kinds.map((kind) => (
              <Menu.Item
                key={kind}
                color={kind === 'remove' ? 'red' : undefined}
                onClick={() => (kind === 'remove' ? setRemoving(true) : act.mutate(kind))}
              >
                {asks[kind]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <ConfirmDialog
        opened={isRemoving}
        title="Remover do grupo?"
        confirmLabel="Remover"
        tone="danger"
        busy={act.isPending}
        onConfirm={() => act.mutate('remove')}
        onClose={() => setRemoving(false)}
      >
        {one.name} sai de {row.name}. Dá para desfazer por 7 dias.
      </ConfirmDialog>
    </div>
  )
}
