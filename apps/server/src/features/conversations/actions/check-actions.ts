import {
  type Action,
  action as anyAction,
  definitionOf,
  namedBy,
} from '@balcao/contract/conversations/actions/index.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import type { Tx } from '../../../db/database.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { type By, workOf } from '../tickets/action-catalogue.ts'

const unknown = {
  tags: 'Etiqueta não encontrada.',
  queues: 'Fila não encontrada.',
  people: 'Pessoa não encontrada.',
  reasons: 'Motivo não encontrado.',
} as const
const isKnown = (names: string): names is keyof typeof unknown => names in unknown

/**
 * What is wrong with actions that somebody puts together, field by field: what they name exists, nothing follows an end.
 * One that is half made, as in a draft, is left to its schema.
 */
export const problemsOf = async (
  given: readonly Action[],
  at: { tx: Tx; directory: Directory; by: By },
): Promise<FieldProblem[]> => {
  const problems: FieldProblem[] = []
  for (const [n, action] of given.entries()) {
    if (!anyAction.safeParse(action).success) continue
    const problem = await problemOf(action, at)
    if (problem) problems.push({ path: `actions.${n}.${problem.path}`, message: problem.message })
    else if (!mayChoose(action, at.by))
      problems.push({ path: `actions.${n}.kind`, message: 'Seu perfil não pode incluir este passo.' })
    else if (definitionOf(action.kind).isLast && n < given.length - 1)
      problems.push({
        path: `actions.${n}.kind`,
        message: `${definitionOf(action.kind).label} precisa ser o último passo.`,
      })
  }
  return problems
}

/** What an action names and no longer exists, in Portuguese; else what it says itself. */
export const problemOf = async (
  action: Action,
  at: { tx: Tx; directory: Directory; by: By },
): Promise<FieldProblem | undefined> => {
  for (const { path, names, ids } of namedBy(action)) {
    if (isKnown(names) && ids.some((id) => !at.directory[names].has(id))) return { path, message: unknown[names] }
  }
  return workOf(action.kind).check?.(action, at)
}

/** Whether they may put it together for others to do. */
const mayChoose = ({ kind }: Action, { actor }: By): boolean => {
  const { canChoose } = definitionOf(kind)
  return !canChoose || !actor || actor.permissions.has(canChoose)
}

/** Whether it may be done by them at all. */
export const mayDo = ({ kind }: Action, by: By): boolean =>
  by.actor ? by.actor.permissions.has(definitionOf(kind).can) : by.grants.has(kind)
