import type { FoundMessage } from '@balcao/contract/conversations/messages.ts'
import { UnstyledButton } from '@mantine/core'
import { formatDateTime } from '../../../kit/format.ts'
import { ChannelGlyph } from '../../../ui/channel-glyph.tsx'
import classes from './found-list.module.css'
import { previewText } from './preview.ts'

type Props = { messages: readonly FoundMessage[]; onPick: (message: FoundMessage) => void }

/** Found messages under the conversation they belong to, in the order they came. */
export const FoundList = ({ messages, onPick }: Props) => (
  <>
    {groupsOf(messages).map((group) => (
      <section key={group.ticketId} className={classes.group}>
        <h3 className={classes.title}>
          <ChannelGlyph channel={group.channel} size={18} />
          <span className="truncate">{group.contactName}</span>
          <span className={`tabular ${classes.meta}`}>{group.protocol || 'Campanhas'}</span>
        </h3>
        {group.messages.map((message) => (
          <UnstyledButton key={message.id} data-found className={classes.hit} onClick={() => onPick(message)}>
            <Snippet message={message} />
            <span className={`tabular ${classes.meta}`}>
              {authorOf(message)} · {formatDateTime(message.createdAt)}
            </span>
          </UnstyledButton>
        ))}
      </section>
    ))}
  </>
)

export const Snippet = ({ message }: { message: FoundMessage }) => {
  const { before, hit, after } = message.snippet
  if (!before && !hit && !after) return <span>{previewText(message)}</span>
  return (
    <span className={classes.words}>
      {before}
      {hit && <mark className={classes.mark}>{hit}</mark>}
      {after}
    </span>
  )
}

export const authorOf = ({ fromMe, user, author, contactName, type }: FoundMessage) => {
  if (!fromMe) return author?.name || contactName
  return type === 'note' ? `Nota de ${user?.name ?? 'alguém'}` : (user?.name ?? 'Equipe')
}

type Group = Pick<FoundMessage, 'ticketId' | 'contactName' | 'protocol' | 'channel'> & { messages: FoundMessage[] }
const groupsOf = (messages: readonly FoundMessage[]): Group[] => {
  const groups = new Map<string, Group>()
  for (const message of messages) {
    const group = groups.get(message.ticketId)
    if (group) group.messages.push(message)
    else groups.set(message.ticketId, { ...message, messages: [message] })
  }
  return [...groups.values()]
}
