import type { Message } from '@balcao/contract/conversations/messages.ts'
import { Button, Drawer, Loader, Text } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { Virtuoso } from 'react-virtuoso'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { MediaViewer } from '../../core/media/media-viewer.tsx'
import { linkToTicket } from '../tickets/address.ts'
import type { BubbleActions } from './bubble.tsx'
import classes from './contact-history.module.css'
import { historyOf } from './history.ts'
import { MessageRow } from './message-row.tsx'
import { rowsOf } from './rows.ts'

/** Room above for what is loaded later. */
const firstIndex = 1_000_000

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
    <ContactHistory contactId={contactId} onLeave={onClose} />
  </Drawer>
)

/** The same without its frame; fills its place. */
export const ContactHistory = ({ contactId, onLeave }: { contactId: string; onLeave?: () => void }) => {
  const history = useInfiniteQuery(historyOf(contactId))
  const navigate = useNavigate()
  const { userId } = useCurrentSession()
  const [viewing, setViewing] = useState<Message['media']>(null)
  const pages = history.data?.pages
  const messages = useMemo(() => (pages ?? []).toReversed().flatMap((page) => page.items), [pages])
  const rows = useMemo(() => rowsOf(messages), [messages])
  const tickets = useMemo(
    () => new Map((pages ?? []).flatMap((page) => page.tickets).map((ticket) => [ticket.id, ticket])),
    [pages],
  )
  const [anchor, setAnchor] = useState<string | null>(null)
  if (anchor === null && rows[0]) setAnchor(rows[0].message.id)
  const above = Math.max(
    0,
    rows.findIndex((row) => row.message.id === anchor),
  )
  const go = (ticketId: string, messageId: string) => {
    onLeave?.()
    void navigate(linkToTicket(ticketId, messageId))
  }
  const actions = useMemo((): BubbleActions => {
    const nothing = () => undefined
    return {
      onOpenMedia: setViewing,
      onBroken: nothing,
      onJump: nothing,
      onResend: nothing,
      onRetry: nothing,
      onForce: nothing,
      onWithdraw: nothing,
      onStartChat: nothing,
    }
  }, [])

  if (history.isPending) return <SkeletonList rows={7} height={64} />
  if (history.isError && !rows.length)
    return <ErrorState message={messageOf(history.error)} onRetry={() => void history.refetch()} />
  if (!rows.length)
    return (
      <EmptyState icon={<IconMessages size={26} stroke={1.5} />} title="Ainda não há mensagens com este contato">
        Elas aparecem aqui, de todos os atendimentos que você pode ver.
      </EmptyState>
    )
  return (
    <>
      <Virtuoso
        className={classes.list}
        data={rows}
        firstItemIndex={firstIndex - above}
        initialTopMostItemIndex={{ index: 'LAST', align: 'end' }}
        computeItemKey={(_, row) => row.message.id}
        increaseViewportBy={{ top: 600, bottom: 300 }}
        alignToBottom
        startReached={() => history.hasNextPage && !history.isFetchingNextPage && void history.fetchNextPage()}
        context={{ isLoading: history.isFetchingNextPage }}
        components={parts}
        itemContent={(index, row) => {
          const before = rows[index - (firstIndex - above) - 1]
          const ticket =
            before?.message.ticketId === row.message.ticketId ? undefined : tickets.get(row.message.ticketId)
          return (
            <>
              {ticket && (
                <div className={classes.ticket}>
                  <span className="tabular">
                    Atendimento {ticket.protocol}, aberto em {formatDateTime(ticket.createdAt)}
                  </span>
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`Abrir o atendimento ${ticket.protocol}`}
                    onClick={() => go(ticket.id, row.message.id)}
                  >
                    Abrir
                  </Button>
                </div>
              )}
              <MessageRow row={row} userId={userId} actions={actions} />
            </>
          )
        }}
        role="log"
        aria-label="Mensagens com o contato"
        tabIndex={0}
      />
      {viewing && <MediaViewer items={[viewing]} startId={viewing.id} onClose={() => setViewing(null)} />}
    </>
  )
}

const Top = ({ context }: { context?: { isLoading: boolean } }) => (
  <div className={classes.top}>
    {context?.isLoading && <Loader size={18} role="status" aria-label="Carregando mensagens" />}
  </div>
)
const parts = { Header: Top }
