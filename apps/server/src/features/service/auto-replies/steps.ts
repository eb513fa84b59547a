import { blankPart } from '@balcao/contract/conversations/parts.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import {
  type AutoReply,
  type AutoReplyStep,
  type AutoReplyStepAction,
  type AutoReplyStepActionBody,
  type AutoReplyStepBody,
  autoReplyResource,
  type Keyword,
} from '@balcao/contract/service/auto-replies.ts'
import { getTableColumns } from 'drizzle-orm'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { autoReplies } from '../../../db/schema/service/auto-replies.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type PlainOptions, rowsOf } from '../../../kit/crud-rows.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { autoReplyOptions } from './auto-replies.rows.ts'

/** Written as by the form: checked, audited and told of. */
const rows = rowsOf(autoReplyResource, autoReplyOptions as unknown as PlainOptions, getTableColumns(autoReplies)) // as crud() takes them

/**
 * A step is a rule that only another one goes on with (`chosen`), below its answer; an action of a step is a choice below
 * the step. The first step is the one its answer goes on with.
 */
type Row = {
  id: string
  name: string
  afterId: string | null
  nextId: string | null
  reply: string
  keywords: Keyword[]
  actions: AutoReply['actions']
  isInitial: boolean
}

export const listSteps = async (actor: Actor, autoReplyId: string): Promise<AutoReplyStep[]> => {
  await requireReply(actor, autoReplyId)
  const { steps, actions } = await readAll(actor, autoReplyId)
  const byStep = Map.groupBy(actions, ({ afterId }) => afterId)
  return steps.map((step) => presentStep(autoReplyId, step, byStep.get(step.id) ?? []))
}
export const listStepActions = async (actor: Actor): Promise<AutoReplyStepAction[]> =>
  (await readAll(actor, null)).actions.map(presentAction)

export const createStep = async (actor: Actor, autoReplyId: string, { reply, initialStep }: AutoReplyStepBody) => {
  const answer = await requireReply(actor, autoReplyId)
  const { id } = await rows.create(actor, {
    name: nameOf(answer.name, reply),
    starts: 'chosen',
    afterId: autoReplyId,
    parts: [textPart(reply)],
  })
  if (initialStep) await rows.update(actor, autoReplyId, { nextId: id })
  return findStep(actor, autoReplyId, id)
}

export const updateStep = async (
  actor: Actor,
  autoReplyId: string,
  stepId: string,
  { reply, initialStep }: Partial<AutoReplyStepBody>,
) => {
  const { initialStep: wasInitial } = await findStep(actor, autoReplyId, stepId)
  if (reply !== undefined) await rows.update(actor, stepId, { parts: [textPart(reply)] })
  if (initialStep !== undefined && initialStep !== wasInitial)
    await rows.update(actor, autoReplyId, { nextId: initialStep ? stepId : null })
  return findStep(actor, autoReplyId, stepId)
}

export const removeStep = async (actor: Actor, autoReplyId: string, stepId: string) => {
  const { initialStep } = await findStep(actor, autoReplyId, stepId)
  if (initialStep) await rows.update(actor, autoReplyId, { nextId: null })
  await rows.remove(actor, stepId)
}

export const createStepAction = async (actor: Actor, body: AutoReplyStepActionBody) => {
  const step = await requireStep(actor, body.stepReplyId)
  const { id } = await rows.create(actor, { ...asRule(body), name: nameOf(step.name, body.words) })
  return findAction(actor, id)
}
export const updateStepAction = async (actor: Actor, id: string, body: AutoReplyStepActionBody) => {
  await findAction(actor, id)
  await requireStep(actor, body.stepReplyId)
  await rows.update(actor, id, asRule(body))
  return findAction(actor, id)
}
export const removeStepAction = async (actor: Actor, id: string) => {
  await findAction(actor, id)
  await rows.remove(actor, id)
}

const asRule = ({
  stepReplyId,
  words,
  action,
  nextStepId,
  queueId,
  userIdDestination,
  replyDefinition,
}: AutoReplyStepActionBody) => {
  if (action === 0 && !nextStepId) throw fieldErrors({ path: 'nextStepId', message: 'Escolha o próximo passo.' })
  if (action === 1 && !queueId) throw fieldErrors({ path: 'queueId', message: 'Escolha a fila.' })
  if (action === 2 && !userIdDestination) throw fieldErrors({ path: 'userIdDestination', message: 'Escolha a pessoa.' })
  const keywords = words.split(',').flatMap((word) => keywordOf(word.trim()))
  if (!keywords.length) throw fieldErrors({ path: 'words', message: 'Escreva pelo menos uma palavra.' })
  return {
    starts: 'words',
    afterId: stepReplyId,
    nextId: action === 0 ? nextStepId : null,
    keywords,
    parts: replyDefinition ? [textPart(replyDefinition)] : [],
    actions:
      action === 1
        ? [{ kind: 'transfer', queueId, userId: null }]
        : action === 2
          ? [{ kind: 'transfer', queueId: null, userId: userIdDestination }]
          : [],
  }
}
/** A number is an option of a menu and stands alone; a word may stand among others. */
const keywordOf = (text: string): Keyword[] =>
  text ? [{ text: cutText(text, 60), mode: /^\d+$/.test(text) ? 'exact' : 'contains' }] : []
const textPart = (body: string) => ({ ...blankPart('text'), body })
const nameOf = (above: string, words: string) =>
  `${cutText(above, 24)} · ${cutText(words.replace(/\s+/g, ' '), 32)}`.trim()

const presentStep = (idAutoReply: string, { id, reply, isInitial }: Row, actions: Row[]): AutoReplyStep => ({
  id,
  idAutoReply,
  reply,
  initialStep: isInitial,
  stepActions: actions.map(presentAction),
})
const presentAction = ({ id, afterId, keywords, nextId, reply, actions }: Row): AutoReplyStepAction => {
  const given = actions.flatMap((one) => (one.kind === 'transfer' || one.kind === 'queue' ? one : []))[0]
  const queueId = given?.queueId ?? null
  const userIdDestination = given?.kind === 'transfer' ? given.userId : null
  return {
    id,
    stepReplyId: afterId ?? '',
    words: keywords.map(({ text }) => text).join(','),
    action: userIdDestination ? 2 : queueId ? 1 : 0,
    nextStepId: nextId,
    queueId,
    userIdDestination,
    replyDefinition: reply,
  }
}

const readAll = async (actor: Actor, autoReplyId: string | null) => {
  const all = await withTenant(actor.tenantId, (tx) =>
    tx.rows<Row & { isStep: boolean }>(read, [tx.tenantId, autoReplyId]),
  )
  return { steps: all.filter(({ isStep }) => isStep), actions: all.filter(({ isStep }) => !isStep) }
}
const findStep = async (actor: Actor, autoReplyId: string, stepId: string): Promise<AutoReplyStep> => {
  const found = (await listSteps(actor, autoReplyId)).find(({ id }) => id === stepId)
  if (!found) throw new AppError('ERR_NOT_FOUND')
  return found
}
const findAction = async (actor: Actor, id: string): Promise<AutoReplyStepAction> => {
  const found = (await listStepActions(actor)).find((one) => one.id === id)
  if (!found) throw new AppError('ERR_NOT_FOUND')
  return found
}
const requireReply = async (actor: Actor, id: string) => {
  const [found] = await withTenant(actor.tenantId, (tx) => tx.rows<{ name: string }>(reply, [tx.tenantId, id]))
  if (!found) throw new AppError('ERR_NOT_FOUND')
  return found
}
const requireStep = async (actor: Actor, id: string) => {
  const [found] = await withTenant(actor.tenantId, (tx) => tx.rows<{ name: string }>(step, [tx.tenantId, id]))
  if (!found) throw fieldErrors({ path: 'stepReplyId', message: 'Passo não encontrado.' })
  return found
}

/** Steps below this answer with their actions; below all of them where none is named. */
const read: Prepared = {
  name: 'auto_reply_steps',
  text: `with steps as (
      select s.id, s.after_id from auto_replies s where s.tenant_id = $1 and s.starts = 'chosen'
        and s.after_id is not null and ($2::uuid is null or s.after_id = $2)
    )
    select a.id, a.name, a.after_id as "afterId", a.next_id as "nextId", a.keywords, a.actions, a.starts = 'chosen' as "isStep",
      coalesce((select string_agg(p.body, E'\\n' order by p.position) from auto_reply_parts p
        where p.tenant_id = a.tenant_id and p.auto_reply_id = a.id), '') as reply,
      exists (select from auto_replies r where r.tenant_id = $1 and r.id = a.after_id and r.next_id = a.id) as "isInitial"
    from auto_replies a where a.tenant_id = $1 and (a.id in (select id from steps)
      or (a.starts = 'words' and a.after_id in (select id from steps)))
    order by a.position, a.id limit 500`,
}
const reply: Prepared = {
  name: 'auto_reply_of_steps',
  text: `select name from auto_replies where tenant_id = $1 and id = $2 and after_id is null`,
}
const step: Prepared = {
  name: 'auto_reply_step',
  text: `select name from auto_replies where tenant_id = $1 and id = $2 and starts = 'chosen'`,
}
