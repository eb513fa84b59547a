import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { contactQuery } from '../../contacts/contacts/queries.ts'
import { StartConversation } from './start-conversation.tsx'

type Props = { contactId: string; onClose: () => void }

/** By which channel to write to somebody who is known by their contact alone. */
export const TalkToContact = ({ contactId, onClose }: Props) => {
  const { data, error } = useQuery(contactQuery(contactId))
  useEffect(() => {
    if (!error) return
    notify.error(messageOf(error))
    onClose()
  }, [error, onClose])
  return data ? <StartConversation contact={data} onClose={onClose} /> : null
}
