import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pushAlert } from '../../kit/alerts.ts'
import { plural } from '../../kit/format.ts'
import { useCurrentSession } from '../../kit/session.ts'
import { useCan } from '../../kit/use-can.ts'
import { lateTasks } from './api.ts'

/** Whoever comes back is told of what became late meanwhile: its reminder rang where nobody heard it. */
export const useLateTasks = () => {
  const { userId } = useCurrentSession()
  const late = useQuery({ ...lateTasks(userId), enabled: useCan('tasks.read') })
  useEffect(() => {
    if (late.data)
      pushAlert({
        id: 'tasks:late',
        title: plural(late.data, 'tarefa atrasada', 'tarefas atrasadas'),
        body: 'O prazo passou e ainda não foi finalizado o que era seu.',
        to: () => '/tarefas?situacao=late',
      })
  }, [late.data])
}
