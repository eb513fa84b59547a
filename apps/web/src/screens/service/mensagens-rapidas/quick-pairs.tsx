import { type LikePair, likeTexts } from '@balcao/contract/core/likeness.ts'
import { type QuickMessage, quickMessageResource } from '@balcao/contract/service/quick-messages.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { LikePairs } from '../../../features/core/likeness/like-pairs.tsx'
import { quickMessages } from '../../../features/service/quick-messages/api.ts'
import { api } from '../../../kit/api.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { changeRows } from '../../../kit/change-rows.ts'
import { notify } from '../../../ui/notify.ts'
import { ScopeText } from './scope.tsx'

type Props = { canWrite: (row: QuickMessage) => boolean; onClose: () => void }

/** Quick messages that say the same, or go by the same shortcut. */
export const QuickPairs = ({ canWrite, onClose }: Props) => {
  const cache = useQueryClient()
  const all = useQuery({ ...quickMessages, staleTime: 0 }).data
  const rows = useMemo(() => (all ?? []).filter(({ isActive }) => isActive), [all])
  const pairs = useMemo(() => pairsOf(rows), [rows])
  const renew = () => cache.invalidateQueries({ queryKey: ['resource', 'quickMessage'] })
  return (
    <LikePairs
      title="Mensagens rápidas repetidas"
      pairs={pairs}
      faceOf={(id) => {
        const row = rows.find((one) => one.id === id)
        if (!row) return undefined
        const detail = (
          <>
            <ScopeText of={row} /> · {row.uses.total === 1 ? '1 uso' : `${row.uses.total} usos`}
            {`\n${row.message || row.media?.name || ''}`}
          </>
        )
        return { name: `/${row.key}`, detail, canGo: canWrite(row) }
      }}
      onKeep={async (keptId, goneId) => {
        try {
          await api.post(`/fastreply/${goneId}/merge`, { intoId: keptId })
          notify.success('Unidas: os usos e as macros seguem com a que ficou.')
        } catch (error) {
          notify.error(reasonOf(error))
        }
        await renew()
      }}
      onArchive={async (id) => {
        await changeRows(
          quickMessageResource,
          rows.filter((row) => row.id === id),
          { isActive: false },
        )
        await renew()
      }}
      onClose={onClose}
    />
  )
}

const pairsOf = (rows: readonly QuickMessage[]): LikePair[] => {
  const texts = likeTexts(rows.map(({ id, message }) => ({ id, text: message })))
  const told = new Set(texts.map(({ a, b }) => `${a} ${b}`))
  const keys = [...Map.groupBy(rows, (row) => row.key).values()].flatMap(([first, ...others]) =>
    first ? others.map((other): LikePair => ({ a: first.id, b: other.id, why: 'name' })) : [],
  )
  return [...texts, ...keys.filter(({ a, b }) => !told.has(`${a} ${b}`) && !told.has(`${b} ${a}`))]
}
