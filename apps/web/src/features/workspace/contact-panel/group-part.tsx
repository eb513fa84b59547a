import type { GroupMember, MemberRole } from '@balcao/contract/conversations/groups.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { IconMessagePlus, IconRefresh, IconSearch } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Virtuoso } from 'react-virtuoso'
import { messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import { showPhone } from '../../contacts/contacts/phone.ts'
import { PhoneText } from '../../contacts/contacts/phone-text.tsx'
import { askGroup, contactOfMember, groupQuery } from '../../conversations/groups/api.ts'
import { findMembers } from '../../conversations/groups/find.ts'
import classes from './group-part.module.css'
import { None, Section } from './panel-section.tsx'

type Props = { ticket: Ticket; onTalkTo: (contactId: string) => void }

const rowHeight = 52
const mostShown = 7
/** Fewer than these are seen at a glance. */
const searchedFrom = 8

/** Who is in the group, as its channel says, and the way to each of them alone. */
export const GroupPart = ({ ticket, onTalkTo }: Props) => {
  const cache = useQueryClient()
  const { queryKey } = groupQuery(ticket.id)
  const known = useQuery({ ...groupQuery(ticket.id), enabled: false }).data
  // Where the channel tells no list there is nothing to ask for.
  const canAsk = known !== undefined && (known.readAt !== null || known.problem !== null)
  const again = useMutation({
    mutationFn: () => askGroup(ticket.id),
    onSuccess: (card) => cache.setQueryData(queryKey, card),
    onError: (error) => notify.error(messageOf(error)),
  })
  return (
    <Section
      name="participantes"
      title="Participantes"
      count={known?.members.length}
      isOpenAtFirst
      action={
        canAsk && (
          <Tooltip label="Atualizar participantes">
            <ActionIcon
              size={32}
              variant="subtle"
              color="gray"
              aria-label="Atualizar participantes"
              loading={again.isPending}
              onClick={() => again.mutate()}
            >
              <IconRefresh size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )
      }
    >
      <Members ticket={ticket} onTalkTo={onTalkTo} />
    </Section>
  )
}

const Members = ({ ticket, onTalkTo }: Props) => {
  const { data, error, isPending, refetch } = useQuery(groupQuery(ticket.id))
  const [search, setSearch] = useState('')
  if (isPending) return <SkeletonList rows={4} height={rowHeight} withAvatar />
  if (!data) return <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />
  const { members, description, problem, readAt } = data
  const found = findMembers(members, search)
  return (
    <div className={classes.group}>
      {description && (
        <p className={classes.description}>
          <UserText text={description} />
        </p>
      )}
      {problem && (
        <p className={classes.problem} role="status">
          {problem} {members.length > 0 && 'Mostramos quem estava no grupo da última vez.'}
        </p>
      )}
      {members.length >= searchedFrom && (
        <TextInput
          type="search"
          size="sm"
          aria-label="Buscar participante"
          placeholder="Buscar por nome ou número"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {found.length > 0 ? (
        <Virtuoso
          className={classes.list}
          style={{ height: Math.min(found.length, mostShown) * rowHeight }}
          data={found}
          fixedItemHeight={rowHeight}
          computeItemKey={(_, member) => member.id}
          itemContent={(_, member) => <Member ticketId={ticket.id} member={member} onTalkTo={onTalkTo} />}
        />
      ) : search ? (
        <None text={`Ninguém no grupo com “${search}”.`} />
      ) : (
        !problem && <None text="Quem escrever no grupo aparece aqui." />
      )}
      {readAt === null && members.length > 0 && (
        <p className={classes.hint}>Este canal não diz quem está no grupo: aqui está quem escreveu ou entrou.</p>
      )}
    </div>
  )
}

type MemberProps = { ticketId: string; member: GroupMember; onTalkTo: Props['onTalkTo'] }
const Member = ({ ticketId, member, onTalkTo }: MemberProps) => {
  const { name, number, role, contactId, profilePicUrl, isUs } = member
  const canCreate = useCan('contacts.write')
  const canTalk = useCan('tickets.write') && !isUs && (contactId !== null || canCreate)
  const talk = useMutation({
    mutationFn: async () => contactId ?? (await contactOfMember(ticketId, member.id)).id,
    onSuccess: onTalkTo,
    onError: (error) => notify.error(messageOf(error)),
  })
  const isNumber = number !== null && name.replace(/\D/g, '') === number
  return (
    <div className={classes.member}>
      <Avatar name={name} src={profilePicUrl} size={34} />
      <span className={classes.words}>
        <span className="truncate" title={name}>
          {isNumber ? showPhone(number) : name}
        </span>
        <span className={`truncate ${classes.meta}`}>
          {isUs ? 'Este canal' : roleLabels[role]}
          {(isUs || role !== 'member') && number && !isNumber && ' · '}
          {number && !isNumber && <PhoneText number={number} />}
        </span>
      </span>
      {canTalk && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          className={classes.talk}
          aria-label={`Conversar com ${name}`}
          title="Conversar em particular"
          loading={talk.isPending}
          onClick={() => talk.mutate()}
        >
          <IconMessagePlus size={18} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}
const roleLabels: Record<MemberRole, string> = { owner: 'Criou o grupo', admin: 'Administra', member: '' }
