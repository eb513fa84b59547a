import { channels } from '@balcao/contract/channels/index.ts'
import type { BirthdayContact } from '@balcao/contract/conversations/message-calls.ts'
import { Badge, Button, Drawer, Select, Stack, Text } from '@mantine/core'
import { IconCake, IconSend2 } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { birthdaysToday, sendBirthdays } from '../../../features/conversations/messages/birthdays.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './birthdays-drawer.module.css'

/** Whose day is today, and one message for all of them. */
export const BirthdaysDrawer = ({ onClose }: { onClose: () => void }) => {
  const list = useInfiniteQuery(birthdaysToday)
  const people = list.data?.pages.flatMap((page) => page.items) ?? []
  const waiting = people.filter((one) => !one.isGreeted).length
  const maySend = useCan('schedules.write')
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={460}
      title={<Text fw={600}>Aniversariantes de hoje</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {list.isPending ? (
        <SkeletonList rows={5} height={52} />
      ) : list.isError && !people.length ? (
        <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : people.length === 0 ? (
        <EmptyState icon={<IconCake size={26} stroke={1.5} />} title="Ninguém faz aniversário hoje">
          Preencha a data de aniversário nos contatos para lembrar deles aqui.
        </EmptyState>
      ) : (
        <Stack gap="md">
          {maySend && waiting > 0 && <Greeting waiting={waiting} />}
          <ul className={classes.people}>
            {people.map((one) => (
              <Person key={one.id} person={one} />
            ))}
          </ul>
          {list.hasNextPage && (
            <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Carregar mais
            </Button>
          )}
        </Stack>
      )}
    </Drawer>
  )
}

const Person = ({ person }: { person: BirthdayContact }) => (
  <li className={classes.person}>
    <span className={classes.words}>
      <span className="truncate">{person.name}</span>
      {person.problem && <span className={classes.meta}>{person.problem}</span>}
      {person.number && (
        <span className={classes.meta}>
          <PhoneText number={person.number} />
        </span>
      )}
    </span>
    {person.isGreeted && (
      <Badge
        variant="light"
        color={person.problem ? 'red' : person.isWaiting ? 'gray' : 'green'}
        tt="none"
        title={person.problem ?? undefined}
      >
        {person.problem ? 'Não enviado' : person.isWaiting ? 'Na fila' : 'Parabenizado'}
      </Badge>
    )}
  </li>
)

const Greeting = ({ waiting }: { waiting: number }) => {
  const cache = useQueryClient()
  const connections = useQuery(connectionList)
  const [whatsappId, setConnection] = useState<string | null>(null)
  const [message, setMessage] = useState('{{saudacao}}, {{primeiro_nome}}! Feliz aniversário! 🎉')
  const send = useMutation({
    mutationFn: () => sendBirthdays({ whatsappId: whatsappId ?? '', message: message.trim(), contactIds: [] }),
    onSuccess: ({ sent }) => {
      if (sent) notify.success(sent === 1 ? '1 mensagem na fila de envio.' : `${sent} mensagens na fila de envio.`)
      void cache.invalidateQueries({ queryKey: birthdaysToday.queryKey })
    },
  })
  const skipped = send.data?.skipped ?? []
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate()
      }}
    >
      <Stack gap="sm">
        <Select
          label="Canal"
          required
          placeholder="Escolha o canal"
          data={(connections.data ?? []).map(({ id, name, kind }) => ({
            value: id,
            label: `${name} (${channels[kind].label})`,
          }))}
          value={whatsappId}
          onChange={setConnection}
        />
        <VariableTextarea label="Mensagem" required value={message} onChange={setMessage} minRows={3} />
        <Text size="xs" c="dimmed">
          Cada contato recebe uma vez por ano. Quem não pode ser alcançado neste canal fica para outro.
        </Text>
        {send.isError && (
          <Text size="sm" c="red" role="alert">
            {messageOf(send.error)}
          </Text>
        )}
        {skipped.length > 0 && (
          <div role="status" className={classes.meta}>
            {skipped.map(({ contact, reason }) => (
              <div key={contact.id}>
                {contact.name}: {reason}
              </div>
            ))}
          </div>
        )}
        <Button
          type="submit"
          leftSection={<IconSend2 size={17} aria-hidden />}
          loading={send.isPending}
          disabled={!whatsappId || !message.trim()}
        >
          {waiting === 1 ? 'Parabenizar 1 pessoa' : `Parabenizar ${waiting} pessoas`}
        </Button>
      </Stack>
    </form>
  )
}
