import type { Assistant } from '@balcao/contract/automation/assistants/assistants.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { assistantQuery, evaluationsQuery } from '../../../features/automation/assistants/api.ts'
import { bulkJobsQuery } from '../../../features/conversations/tickets/bulk-api.ts'

/**
 * What plays the cases of an assistant in the background: what it found is read when it ends. Answers why the newest did not
 * let the draft be published, where one may still sign for it.
 */
export const useEvaluationJob = ({ id, name, isChanged }: Assistant): string | null => {
  const cache = useQueryClient()
  const jobs = useQuery(bulkJobsQuery).data ?? []
  const job = jobs.find((one) => one.kind === 'evaluateAssistant' && one.subject === name)
  const evaluations = useQuery(evaluationsQuery(id)).data ?? []
  const [jobId, endedAt] = [job?.id, job?.finishedAt]
  useEffect(() => {
    if (!jobId || !endedAt) return
    void cache.invalidateQueries({ queryKey: assistantQuery(id).queryKey })
    void cache.invalidateQueries({ queryKey: evaluationsQuery(id).queryKey })
    void cache.invalidateQueries({ queryKey: ['assistant-versions', id] })
  }, [jobId, endedAt, id, cache])
  const found = evaluations[0]
  const isRefused = job?.state === 'failed' && found?.why === 'publish' && found.createdAt >= job.createdAt
  return isRefused && isChanged ? job.error : null
}
