import { channels } from '@balcao/contract/channels/index.ts'
import type { ContactStory } from '@balcao/contract/contacts/contacts.ts'
import { Button } from '@mantine/core'
import { IconMessages, IconStar } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { messageOf } from '../../../kit/api-error.ts'
import { formatCents, formatDateTime } from '../../../kit/format.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { ChannelGlyph } from '../../../ui/channel-glyph.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { storyQuery } from '../../contacts/contacts/queries.ts'
import { linkToTicket } from '../../conversations/tickets/address.ts'
import { plainPreview } from '../../conversations/tickets/preview.ts'
import classes from './contact-panel.module.css'
import { MoreButton } from './more-button.tsx'
import { None } from './panel-section.tsx'

const statusLabels = { open: 'Aberto', pending: 'Pendente', closed: 'Encerrado' } as const

const ContactHistoryDrawer = lazyPart(async () => ({
  default: (await import('../../conversations/messages/contact-history.tsx')).ContactHistoryDrawer,
}))

type Props = { contactId: string; contactName: string; ticketId: string }

/** Every conversation with the contact, over whatever channel, that one may see; a click opens it. */
export const Story = ({ contactId, contactName, ticketId }: Props) => {
  const [isWhole, setWhole] = useState(false)
  useLocation() // the links keep the list's filter, which may change under them
  const story = useInfiniteQuery(storyQuery(contactId))
  const items = story.data?.pages.flatMap((page) => page.items) ?? []
  if (story.isPending) return <SkeletonList rows={3} height={52} />
  if (story.isError && items.length === 0)
    return <ErrorState message={messageOf(story.error)} onRetry={() => void story.refetch()} />
  if (items.length === 0) return <None text="Nenhum atendimento." />
  return (
    <>
      <ol className={classes.story}>
        {items.map((one) => (
          <li key={one.id}>
            <Link to={linkToTicket(one.id)} aria-current={one.id === ticketId ? 'true' : undefined}>
              <ChannelGlyph channel={one.channel} size={20} />
              <span className={classes.storyWords}>
                <span className={classes.storyTop}>
                  <span className="tabular">{formatDateTime(one.createdAt)}</span>
                  <span>{one.id === ticketId ? 'Este' : one.protocol ? statusLabels[one.status] : 'Campanhas'}</span>
                </span>
                <span className={`truncate ${classes.meta}`}>{whoAndWhy(one)}</span>
                <span className="truncate">{plainPreview(one.lastMessage) || 'Sem mensagens'}</span>
                {(one.value !== null || one.grade !== null) && (
                  <span className={`tabular ${classes.storyMarks}`}>
                    {one.grade !== null && (
                      <span>
                        <IconStar size={13} aria-hidden /> Nota {one.grade}
                      </span>
                    )}
                    {one.value !== null && <span>{formatCents(one.value)}</span>}
                  </span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ol>
      <MoreButton list={story}>Mais antigos</MoreButton>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconMessages size={16} aria-hidden />}
        onClick={() => setWhole(true)}
      >
        Ver conversa completa
      </Button>
      {isWhole && (
        <Suspense fallback={null}>
          <ContactHistoryDrawer contactId={contactId} contactName={contactName} onClose={() => setWhole(false)} />
        </Suspense>
      )}
    </>
  )
}

const whoAndWhy = ({ channel, whatsapp, user, queue, reason }: ContactStory) =>
  [
    channels[channel].label,
    whatsapp.name === channels[channel].label ? null : whatsapp.name,
    user?.name,
    queue?.name,
    reason?.name,
  ]
    .filter(Boolean)
    .join(' · ')
