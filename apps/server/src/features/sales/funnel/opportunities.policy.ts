import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { Audience } from '../../../kit/outbox.ts'
import type { Bind } from '../../../kit/sql.ts'
import type { Directory } from '../../core/directory/directory.ts'

type Rule = Pick<Directory, 'settings'>
/** With `privacidadeFunil` one sees those one is responsible for or wrote down; who supervises sees all. */
export const seesAllOpportunities = (actor: Pick<Actor, 'permissions'>, { settings }: Rule) =>
  !settings.privacidadeFunil || actor.permissions.has('funnel.showAll')

export const visibleOpportunities = (actor: Pick<Actor, 'userId' | 'permissions'>, rule: Rule, bind: Bind): string => {
  if (seesAllOpportunities(actor, rule)) return 'true'
  const me = bind(actor.userId)
  return `(o.responsible_id = ${me} or o.created_by = ${me})`
}

/** Whom an event about it is for. */
export const audiencesOf = (
  { responsibleId, createdBy }: Pick<Opportunity, 'responsibleId' | 'createdBy'>,
  { settings }: Rule,
): Audience[] => {
  if (!settings.privacidadeFunil) return [{ kind: 'permission', can: 'funnel.read' }]
  const people = [...new Set([responsibleId, createdBy?.id].flatMap((one) => one ?? []))]
  return [
    { kind: 'permission', can: 'funnel.showAll' },
    ...people.map((userId): Audience => ({ kind: 'user', userId })),
  ]
}
