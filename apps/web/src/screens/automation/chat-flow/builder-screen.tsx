import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { useState } from 'react'
import { flowQuery } from '../../../features/automation/flows/api.ts'
import type { Taken } from '../../../features/automation/flows/desk.ts'
import { useFlowDesk } from '../../../features/automation/flows/use-flow-desk.ts'
import { isApiError } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { Builder } from './builder.tsx'

/** One flow, open on its canvas. */
export default function BuilderScreen({ flowId }: { flowId: string }) {
  const mayRead = useCan('flows.write')
  const flow = useQuery({ ...flowQuery(flowId), enabled: mayRead })
  const [taken, setTaken] = useState<readonly Taken[]>([])
  const { desk, draft } = useFlowDesk(flowId, (one) => setTaken((all) => [...all, one]))
  if (!mayRead) return <ForbiddenState />
  const error = flow.error ?? (desk ? null : draft.error)
  if (error)
    return (
      <ErrorState
        title={isApiError(error) && error.status === 404 ? 'Este fluxo não existe mais' : undefined}
        message={isApiError(error) && error.status === 404 ? 'Talvez outra pessoa tenha excluído.' : undefined}
        onRetry={() => {
          void flow.refetch()
          void draft.refetch()
        }}
      />
    )
  if (!desk || !flow.data) return <SkeletonList />
  return (
    <ReactFlowProvider>
      <Builder
        key={flowId}
        flow={flow.data}
        desk={desk}
        taken={taken}
        onSettled={(one) => setTaken((all) => all.filter((other) => other !== one))}
      />
    </ReactFlowProvider>
  )
}
