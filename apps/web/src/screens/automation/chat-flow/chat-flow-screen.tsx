import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { FlowList } from './flow-list.tsx'

// The canvas is heavy, and the list needs none of it.
const BuilderScreen = lazy(() => import('./builder-screen.tsx'))

/** The flows of the company, and the canvas of one of them. */
export default function ChatFlowScreen() {
  const { flowId } = useParams()
  if (!flowId) return <FlowList />
  return (
    <Suspense fallback={<SkeletonList />}>
      <BuilderScreen key={flowId} flowId={flowId} />
    </Suspense>
  )
}
