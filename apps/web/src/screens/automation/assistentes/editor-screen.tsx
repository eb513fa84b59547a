import { useQuery } from '@tanstack/react-query'
import { assistantQuery } from '../../../features/automation/assistants/api.ts'
import { isApiError } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { Editor } from './editor.tsx'

/** One assistant, open to be written and tried. */
export default function EditorScreen({ assistantId }: { assistantId: string }) {
  const mayRead = useCan('assistants.write')
  const assistant = useQuery({ ...assistantQuery(assistantId), enabled: mayRead })
  if (!mayRead) return <ForbiddenState />
  if (assistant.isError) {
    const isGone = isApiError(assistant.error) && assistant.error.status === 404
    return (
      <ErrorState
        title={isGone ? 'Este assistente não existe mais' : undefined}
        message={isGone ? 'Talvez outra pessoa tenha excluído.' : undefined}
        onRetry={() => void assistant.refetch()}
      />
    )
  }
  return assistant.data ? <Editor key={assistantId} assistant={assistant.data} /> : <SkeletonList />
}
