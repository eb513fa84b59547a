import type { MessagePayload } from '@balcao/contract/conversations/messages.ts'
import { useMemo } from 'react'
import { useCurrentSession } from '../../../kit/session.ts'
import { CalledText } from './called-text.tsx'

type Props = { text: string; mentions: NonNullable<MessagePayload['mentions']>; className?: string }

/** The words of a note, with the colleagues and queues it calls. */
export const NoteText = ({ text, mentions, className }: Props) => {
  const { userId, user } = useCurrentSession()
  const called = useMemo(() => {
    const mine = new Set([userId, ...user.queues.map((queue) => queue.id)])
    return mentions.map(({ id, name }) => ({ name, isMe: mine.has(id) }))
  }, [mentions, userId, user.queues])
  return <CalledText text={text} called={called} className={className} />
}
