import type { Live } from '../../../kit/live.ts'

export const groupsKey = ['groupList'] as const
export const groupLogsKey = ['groupLogs'] as const
export const groupActRowsKey = (jobId: string) => ['groupActRows', jobId] as const

export const groupListLive: Live = {
  'groups.changed': (cache) => void cache.invalidateQueries({ queryKey: groupsKey }),
  'groupLogs.changed': (cache) => void cache.invalidateQueries({ queryKey: groupLogsKey }),
  'groupAct.progressed': (cache, { jobId }) => void cache.invalidateQueries({ queryKey: groupActRowsKey(jobId) }),
}
