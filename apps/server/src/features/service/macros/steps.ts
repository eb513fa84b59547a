import type { FieldProblem } from '@balcao/contract/errors.ts'
import type { MacroAction } from '@balcao/contract/service/macros.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** What is wrong with the steps of a macro in this company, field by field: what they name has to exist. */
export const problemsOf = (actions: readonly MacroAction[], directory: Directory): FieldProblem[] =>
  actions.flatMap((action, at) => {
    const problem = problemOf(action, directory)
    if (problem) return [{ path: `actions.${at}.${problem.path}`, message: problem.message }]
    const isLast = at === actions.length - 1
    return action.kind === 'close' && !isLast
      ? [{ path: `actions.${at}.kind`, message: 'Encerrar precisa ser o último passo.' }]
      : []
  })

const problemOf = (action: MacroAction, { tags, queues, people, reasons }: Directory): FieldProblem | undefined => {
  switch (action.kind) {
    case 'addTags':
    case 'removeTags':
      if (action.tagIds.every((id) => tags.has(id))) return undefined
      return { path: 'tagIds', message: 'Etiqueta não encontrada.' }
    case 'transfer':
      if (!action.queueId && !action.userId) return { path: 'queueId', message: 'Escolha a fila ou a pessoa.' }
      if (action.queueId && !queues.has(action.queueId)) return { path: 'queueId', message: 'Fila não encontrada.' }
      if (action.userId && !people.has(action.userId)) return { path: 'userId', message: 'Pessoa não encontrada.' }
      return undefined
    case 'close':
      if (!action.reasonId || reasons.has(action.reasonId)) return undefined
      return { path: 'reasonId', message: 'Motivo não encontrado.' }
    default:
      return undefined
  }
}
