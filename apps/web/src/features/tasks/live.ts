import { pushAlert } from '../../kit/alerts.ts'
import { formatDateTime } from '../../kit/format.ts'
import type { Live } from '../../kit/live.ts'

/** The lists renew by themselves (`kit/live.ts`); this rings for a task whose time has come. */
export const tasksLive: Live = {
  'task.due': (_cache, task) =>
    pushAlert({
      id: `task:${task.id}`,
      title: task.name,
      body: task.limitDate ? `O prazo desta tarefa chegou: ${formatDateTime(task.limitDate)}` : 'O prazo chegou.',
      to: () => `/tarefas?registro=${task.id}`,
    }),
}
