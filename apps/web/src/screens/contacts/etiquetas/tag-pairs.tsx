import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { likeNames } from '@balcao/contract/core/likeness.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { LikePairs } from '../../../features/core/likeness/like-pairs.tsx'
import { replaceRow } from '../../../features/operations/replacing/api.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { changeRows } from '../../../kit/change-rows.ts'
import { plural } from '../../../kit/format.ts'
import { allRows } from '../../../kit/resource-api.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { notify } from '../../../ui/notify.ts'

type Props = { countOf: (id: string, what: 'contacts' | 'tickets') => number | undefined; onClose: () => void }

/** Tags whose names are nearly the same: one takes the other's place everywhere. */
export const TagPairs = ({ countOf, onClose }: Props) => {
  const cache = useQueryClient()
  const all = useQuery(allRows<Tag>(tagResource)).data
  const tags = useMemo(() => (all ?? []).filter(({ isActive }) => isActive), [all])
  const pairs = useMemo(() => likeNames(tags), [tags])
  const renew = () => cache.invalidateQueries({ queryKey: ['resource', 'tag'] })
  return (
    <LikePairs
      title="Etiquetas repetidas"
      pairs={pairs}
      faceOf={(id) => {
        const tag = tags.find((one) => one.id === id)
        if (!tag) return undefined
        const contacts = plural(countOf(id, 'contacts') ?? 0, 'contato', 'contatos')
        return {
          name: tag.name,
          detail: (
            <>
              <ColorDot color={tag.color} label={`${contacts}, ${countOf(id, 'tickets') ?? 0} em atendimento`} />
            </>
          ),
          canGo: true,
        }
      }}
      onKeep={async (keptId, goneId) => {
        try {
          receiveJob(cache, await replaceRow(tagResource, goneId, keptId))
          notify.success('Começou. O andamento aparece acima da lista.')
        } catch (error) {
          notify.error(reasonOf(error))
        }
        await renew()
      }}
      onArchive={async (id) => {
        await changeRows(
          tagResource,
          tags.filter((tag) => tag.id === id),
          { isActive: false },
        )
        await renew()
      }}
      onClose={onClose}
    />
  )
}
