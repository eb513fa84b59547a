import { type Queue, queueResource } from '@balcao/contract/service/queues.ts'
import { quickMessageScopes } from '@balcao/contract/service/quick-messages.ts'
import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { allRows } from '../../../kit/resource-api.ts'
import type { ResourceColumn } from '../../../kit/resource-screen.tsx'
import { ColorDot } from '../../../ui/color-dot.tsx'

type Scope = (typeof quickMessageScopes)[number]
type Scoped = { scope: Scope; queueId: string | null }

const labels: Record<Scope, string> = { mine: 'Só para mim', queue: 'Para uma fila', everyone: 'Para todos' }
const useQueues = () => useQuery(allRows<Queue>(queueResource)).data ?? []

/** Who uses what is kept ready, as a list shows it. */
export const useScopeColumn = (): ResourceColumn<Scoped> => {
  const queues = useQueues()
  const queueOf = ({ scope, queueId }: Scoped) =>
    scope === 'queue' ? queues.find((queue) => queue.id === queueId) : undefined
  return {
    key: 'scope',
    label: 'Quem usa',
    width: 190,
    wideOnly: true,
    render: (row) => {
      const queue = queueOf(row)
      return queue ? <ColorDot color={queue.color} label={queue.name} /> : labels[row.scope]
    },
    csv: (row) => queueOf(row)?.name ?? labels[row.scope],
  }
}

/** The same where there is no table. */
export const ScopeText = ({ of: { scope, queueId } }: { of: Scoped }) => {
  const queue = useQueues().find(({ id }) => scope === 'queue' && id === queueId)
  return <span className="truncate">{queue?.name ?? labels[scope]}</span>
}

type Props = { scope: Scope; inputOf: (field: keyof Scoped) => SelectProps }

/** The same as fields of a form. */
export const ScopeFields = ({ scope, inputOf }: Props) => {
  const queues = useQueues()
  return (
    <>
      <Select
        label="Quem usa"
        data={quickMessageScopes.map((value) => ({ value, label: labels[value] }))}
        allowDeselect={false}
        {...inputOf('scope')}
      />
      {scope === 'queue' && (
        <Select
          label="Fila"
          required
          searchable
          data={queues.map(({ id, name }) => ({ value: id, label: name }))}
          {...inputOf('queueId')}
        />
      )}
    </>
  )
}
