import { type Lane, laneResource } from '@balcao/contract/contacts/lanes.ts'
import type { NameOf } from '@balcao/contract/contacts/segments/describe.ts'
import type { OptionSource } from '@balcao/contract/contacts/segments/fields.ts'
import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { type Reason, reasonResource } from '@balcao/contract/conversations/reasons.ts'
import { useQuery } from '@tanstack/react-query'
import { allRows } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { connectionList } from '../../channels/connections/api.ts'
import { contactFieldsQuery } from '../../contacts/contacts/fields-api.ts'
import { importNames } from '../../contacts/imports/api.ts'
import type { SegmentChoices } from '../../contacts/segments/choices.ts'
import { userOptions } from './api.ts'

/** What segments may name, with the names; what is not read yet is not gone. */
export const useSegmentChoices = (): SegmentChoices => {
  const rows: Record<OptionSource, readonly { id: string; name: string }[] | undefined> = {
    tags: useQuery(allRows<Tag>(tagResource)).data,
    lanes: useQuery(allRows<Lane>(laneResource)).data,
    people: useQuery(userOptions).data,
    connections: useQuery(connectionList).data,
    reasons: useQuery(allRows<Reason>(reasonResource)).data,
    imports: useQuery({ ...importNames, enabled: useCan('contacts.import') }).data,
  }
  const attributes = useQuery(contactFieldsQuery).data
  const nameOf: NameOf = (source, id) => {
    if (source === 'attribute') return attributes ? attributes.find(({ key }) => key === id)?.name : null
    const known = rows[source]
    return known ? known.find((one) => one.id === id)?.name : null
  }
  return { rows, attributes: attributes ?? [], nameOf }
}
