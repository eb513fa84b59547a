import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { type Reason, reasonResource } from '@balcao/contract/conversations/reasons.ts'
import { type Queue, queueResource } from '@balcao/contract/service/queues.ts'
import { useQuery } from '@tanstack/react-query'
import { allRows } from '../../../kit/resource-api.ts'
import { userOptions } from '../../people/users/api.ts'

/** What the steps of a macro may name. */
export const useNames = (enabled = true) => {
  const tags = useQuery({ ...allRows<Tag>(tagResource), enabled })
  const queues = useQuery({ ...allRows<Queue>(queueResource), enabled })
  const reasons = useQuery({ ...allRows<Reason>(reasonResource), enabled })
  const people = useQuery({ ...userOptions, enabled })
  const all = [tags, queues, reasons, people].flatMap((list): { id: string; name: string }[] => list.data ?? [])
  return {
    tags: tags.data ?? [],
    queues: queues.data ?? [],
    reasons: reasons.data ?? [],
    people: people.data ?? [],
    nameOf: (id: string) => all.find((one) => one.id === id)?.name,
  }
}
