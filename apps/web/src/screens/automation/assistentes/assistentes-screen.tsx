import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { AssistantList } from './assistant-list.tsx'

const EditorScreen = lazy(() => import('./editor-screen.tsx'))

/** The assistants of the company, and one of them with its rehearsal. */
export default function AssistentesScreen() {
  const { assistantId } = useParams()
  if (!assistantId) return <AssistantList />
  return (
    <Suspense fallback={<SkeletonList />}>
      <EditorScreen key={assistantId} assistantId={assistantId} />
    </Suspense>
  )
}
