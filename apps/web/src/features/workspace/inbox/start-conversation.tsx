import type { Connection } from '@balcao/contract/channels/connections.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { Alert, Button, Group, Modal, Radio, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { ChannelGlyph } from '../../../ui/channel-glyph.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { connectionList } from '../../channels/connections/api.ts'
import { ConnectionState } from '../../channels/connections/connection-state.tsx'
import { useStartConversation } from '../../contacts/contacts/api.ts'
import { storyQuery } from '../../contacts/contacts/queries.ts'
import { unreachableBecause } from '../../contacts/contacts/reach.ts'
import classes from './start-conversation.module.css'

type Props = { contact: Contact | null; onClose: () => void }

/** By which connection to write to a contact; a conversation that is already open is offered instead of a second one. */
export const StartConversation = ({ contact, onClose }: Props) => (
  <Modal
    opened={contact !== null}
    onClose={onClose}
    title={<Text fw={600}>Iniciar conversa com {contact?.name}</Text>}
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    {contact && <ConnectionChoice contact={contact} onClose={onClose} />}
  </Modal>
)

const ConnectionChoice = ({ contact, onClose }: { contact: Contact; onClose: () => void }) => {
  const connections = useQuery(connectionList)
  const start = useStartConversation()
  const navigate = useNavigate()
  const [wished, setWished] = useState<string | null>(null)

  if (connections.isPending) return <SkeletonList rows={3} />
  if (connections.isError)
    return <ErrorState message={messageOf(connections.error)} onRetry={() => void connections.refetch()} />
  const rows = byReach(connections.data, contact)
  const chosen = rows.find((one) => one.id === wished) ?? rows.find((one) => !one.obstacle)
  const other = isApiError(start.error, 'ERR_OTHER_OPEN_TICKET') ? openTicketIn(start.error.details) : null
  const goTo = (ticketId: string) => {
    onClose()
    void navigate(`/atendimento/${ticketId}`, { state: { offersTemplate: chosen && needsTemplate(chosen) } })
  }

  return (
    <>
      <OpenTickets contactId={contact.id} onOpen={goTo} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen) start.mutate({ contactId: contact.id, channelId: chosen.id }, { onSuccess: ({ id }) => goTo(id) })
        }}
      >
        {rows.length === 0 ? (
          <Text c="dimmed">Ainda não há canais. Peça ao administrador que adicione um em Configurações → Canais.</Text>
        ) : (
          <Radio.Group
            aria-label="Canal"
            value={chosen?.id ?? null}
            onChange={(id) => {
              setWished(id)
              start.reset()
            }}
          >
            <Stack gap={6} className={classes.channels}>
              {rows.map((one) => (
                <Radio.Card
                  key={one.id}
                  value={one.id}
                  disabled={Boolean(one.obstacle)}
                  className={classes.card}
                  aria-label={one.name}
                >
                  <Radio.Indicator disabled={Boolean(one.obstacle)} />
                  <ChannelGlyph channel={one.kind} size={24} />
                  <span className={classes.words}>
                    <span className="truncate">{one.name}</span>
                    <span className={classes.note}>{one.obstacle ?? <ConnectionState status={one.status} />}</span>
                  </span>
                </Radio.Card>
              ))}
            </Stack>
          </Radio.Group>
        )}
        {chosen && needsTemplate(chosen) && (
          <Text c="dimmed" size="sm" mt="sm">
            No {channels[chosen.kind].label}, a primeira mensagem depois de 24 horas em silêncio precisa ser um modelo
            aprovado.
          </Text>
        )}
        {start.isError && (
          <Alert
            color={other ? 'amber' : 'red'}
            mt="sm"
            role="alert"
            title={other ? otherText(other.userName) : undefined}
          >
            {other ? (
              <Button variant="default" size="xs" mt={4} onClick={() => goTo(other.ticketId)}>
                Ir para o atendimento
              </Button>
            ) : (
              messageOf(start.error)
            )}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button
            type="submit"
            disabled={!chosen}
            loading={start.isPending}
            leftSection={<IconMessages size={18} aria-hidden />}
            data-autofocus
          >
            Iniciar conversa
          </Button>
        </Group>
      </form>
    </>
  )
}

/** What this contact already talks about with us, as far as one may see it: a click goes there. */
const OpenTickets = ({ contactId, onOpen }: { contactId: string; onOpen: (ticketId: string) => void }) => {
  const story = useInfiniteQuery(storyQuery(contactId))
  const open = (story.data?.pages ?? []).flatMap(({ items }) => items.filter(({ status }) => status !== 'closed'))
  if (open.length === 0) return null
  return (
    <Stack gap={6} mb="md" component="section" aria-label="Em andamento">
      <Text fw={600} size="sm">
        Em andamento
      </Text>
      {open.map(({ id, channel, whatsapp, queue, user }) => (
        <UnstyledButton key={id} className={classes.open} onClick={() => onOpen(id)}>
          <ChannelGlyph channel={channel} size={24} />
          <span className={classes.words}>
            <span className="truncate">{whatsapp.name}</span>
            <span className={`truncate ${classes.note}`}>
              {[queue?.name, user?.name ?? 'Esperando atendimento'].filter(Boolean).join(' · ')}
            </span>
          </span>
          <span className={classes.go}>Abrir</span>
        </UnstyledButton>
      ))}
      <Text fw={600} size="sm" mt="xs">
        Outra conversa
      </Text>
    </Stack>
  )
}

/** Those that reach the contact first; among them the default ones that work. */
const byReach = (connections: readonly Connection[], contact: Contact) =>
  connections
    .map((one) => ({ ...one, obstacle: unreachableBecause(contact, one.kind, one.abilities) }))
    .sort((a, b) => rank(a) - rank(b))
const rank = (one: Connection & { obstacle: string | null }) =>
  (one.obstacle ? 4 : 0) + (one.status === 'CONNECTED' ? 0 : 2) + (one.isDefault ? 0 : 1)

const needsTemplate = ({ abilities }: Connection) => abilities.windowHours !== null

const otherText = (userName: string | null) =>
  userName ? `Este contato já está em atendimento com ${userName}.` : 'Este contato já tem um atendimento esperando.'

const openTicketIn = (details: unknown): { ticketId: string; userName: string | null } | null => {
  if (typeof details !== 'object' || details === null) return null
  const [ticketId, userName]: unknown[] = [Reflect.get(details, 'ticketId'), Reflect.get(details, 'userName')]
  return typeof ticketId === 'string' ? { ticketId, userName: typeof userName === 'string' ? userName : null } : null
}
