import { Button, Drawer, Select, Text } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { ChannelGlyph } from '../../../ui/channel-glyph.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { linkToTicket } from '../tickets/address.ts'
import classes from './contact-history.module.css'
import { ConversationView } from './conversation-view.tsx'
import { CustomerName } from './customer-name.ts'
import { historyOf } from './history.ts'
import type { MessageSource } from './message-source.ts'
import type { ChatRow } from './rows.ts'

type Props = { contactId: string; contactName: string; onClose: () => void }

/** Everything said with a contact, in all conversations one may see, to read. */
export const ContactHistoryDrawer = ({ contactId, contactName, onClose }: Props) => (
  <Drawer
    opened
    onClose={onClose}
    position="right"
    size={640}
    title={<Text fw={600}>Conversa completa com {contactName}</Text>}
    closeButtonProps={{ 'aria-label': 'Fechar' }}
    classNames={{ body: classes.body }}
  >
    <CustomerName value={contactName}>
      <ContactHistory contactId={contactId} onLeave={onClose} />
    </CustomerName>
  </Drawer>
)

/** The same without its frame; fills its place. */
export const ContactHistory = ({ contactId, onLeave }: { contactId: string; onLeave?: () => void }) => {
  const [only, setOnly] = useState<string | null>(null)
  const history = useInfiniteQuery(historyOf(contactId, only))
  const navigate = useNavigate()
  const pages = history.data?.pages
  const items = useMemo(() => (pages ?? []).toReversed().flatMap((page) => page.items), [pages])
  const tickets = useMemo(
    () => new Map((pages ?? []).flatMap((page) => page.tickets).map((ticket) => [ticket.id, ticket])),
    [pages],
  )
  const ways = useMemo(() => new Map(items.map(({ id, whatsappId }) => [id, whatsappId])), [items])
  const connections = pages?.[0]?.connections ?? []
  const connectionOf = (row: ChatRow) => connections.find(({ id }) => id === ways.get(row.message.id))
  const go = (ticketId: string, messageId: string) => {
    onLeave?.()
    void navigate(linkToTicket(ticketId, messageId))
  }
  const source: MessageSource = {
    conversation: { items, hasOlder: history.hasNextPage },
    loadOlder: () => history.fetchNextPage({ throwOnError: true }),
    renew: () => void history.refetch(),
    outgoing: [],
    starred: [],
  }

  if (history.isPending) return <SkeletonList rows={7} height={64} />
  if (history.isError && !items.length)
    return <ErrorState message={messageOf(history.error)} onRetry={() => void history.refetch()} />
  if (!items.length && only === null)
    return (
      <EmptyState icon={<IconMessages size={26} stroke={1.5} />} title="Ainda não há mensagens com este contato">
        Elas aparecem aqui, de todos os atendimentos que você pode ver.
      </EmptyState>
    )
  return (
    <>
      {connections.length > 1 && (
        <Select
          className={classes.filter}
          aria-label="Canal"
          data={[
            { value: '', label: 'Todos os canais' },
            ...connections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={only ?? ''}
          allowDeselect={false}
          onChange={(id) => setOnly(id || null)}
        />
      )}
      {items.length === 0 && (
        <EmptyState icon={<IconMessages size={26} stroke={1.5} />} title="Nenhuma mensagem por este canal" />
      )}
      <ConversationView
        key={only}
        label="Mensagens com o contato"
        source={source}
        above={(row, before) => {
          const { message } = row
          const connection = connectionOf(row)
          const ticket = before?.message.ticketId === message.ticketId ? undefined : tickets.get(message.ticketId)
          if (!ticket && (!before || connection === connectionOf(before))) return null
          return (
            <div className={classes.ticket}>
              {connection && (
                <span className={classes.channel}>
                  <ChannelGlyph channel={connection.channel} size={16} />
                  {connection.name}
                </span>
              )}
              {ticket && (
                <>
                  <span className="tabular">
                    {ticket.protocol
                      ? `Atendimento ${ticket.protocol}, aberto em ${formatDateTime(ticket.createdAt)}`
                      : `Envios de campanhas, desde ${formatDateTime(ticket.createdAt)}`}
                  </span>
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={
                      ticket.protocol ? `Abrir o atendimento ${ticket.protocol}` : 'Abrir os envios de campanhas'
                    }
                    onClick={() => go(ticket.id, message.id)}
                  >
                    Abrir
                  </Button>
                </>
              )}
            </div>
          )
        }}
      />
    </>
  )
}
