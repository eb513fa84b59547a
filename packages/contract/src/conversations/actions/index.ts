import { z } from 'zod'
import { fieldsOf } from '../../core/providers/fields.ts'
import { metaOf } from '../../core/providers/meta.ts'
import { botBlock, lane, removeWallet, wallet } from './contact.ts'
import { type ActionDefinition, type NameOf, namingFields } from './define.ts'
import { channel, queue, transfer } from './hand-over.ts'
import { email, schedule } from './later.ts'
import { note, send, sendQuick } from './messages.ts'
import { loseOpportunity, moveOpportunity, opportunity, winOpportunity } from './opportunities.ts'
import { sms } from './sms.ts'
import { close, forceClose, mark, markRead, pause, priority, reason, reopen, resume } from './state.ts'
import { addContactTags, addTags, removeContactTags, removeTags } from './tags.ts'
import { voiceCall } from './voice-call.ts'
import { webhook } from './webhook.ts'

/** Everything that can be done to a conversation by itself, in the order it is offered. */
export const actions = {
  send,
  sendQuick,
  note,
  addTags,
  removeTags,
  transfer,
  queue,
  channel,
  priority,
  pause,
  resume,
  mark,
  markRead,
  addContactTags,
  removeContactTags,
  wallet,
  removeWallet,
  lane,
  botBlock,
  opportunity,
  moveOpportunity,
  winOpportunity,
  loseOpportunity,
  schedule,
  email,
  sms,
  voiceCall,
  webhook,
  reason,
  reopen,
  close,
  forceClose,
}
type Definitions = typeof actions
export type ActionKind = keyof Definitions
export const actionKinds = Object.keys(actions) as ActionKind[] // the keys of the table above
export type ActionParams<K extends ActionKind> = z.output<Definitions[K]['params']>
/** An action with what was chosen for it, as it is kept. */
export type Action = { [K in ActionKind]: { kind: K } & Chosen<ActionParams<K>> }[ActionKind]
/** Of an action with nothing to choose. */
type Chosen<Params> = string extends keyof Params ? unknown : Params

/** A definition whose own types one need not know. */
export const definitionOf = (kind: ActionKind) => actions[kind] as unknown as ActionDefinition<ActionKind>

/** One of these kinds of actions. */
export const actionOf = <K extends ActionKind>(kinds: readonly K[]) => {
  const [first, ...others] = kinds.map((kind) =>
    definitionOf(kind).params.safeExtend({ kind: z.literal(kind) }),
  ) as unknown as [z.ZodObject, ...z.ZodObject[]]
  type One = Extract<Action, { kind: K }>
  return z.discriminatedUnion('kind', [first, ...others]) as unknown as z.ZodType<One, One>
}
export const action = actionOf(actionKinds)

export const blankAction = (kind: ActionKind) => ({ ...definitionOf(kind).blank, kind }) as Action // completed in a form

/** An action in one line: "Adicionar etiquetas: VIP, Atraso". */
export const describeAction = (given: Action, nameOf: NameOf): string => {
  const { label, detail, params } = definitionOf(given.kind)
  const more = detail ? detail(given, nameOf) : detailOf(params, given, nameOf)
  return more ? `${label}: ${more}` : label
}

const detailOf = (params: z.ZodObject, values: Record<string, unknown>, nameOf: NameOf) =>
  fieldsOf(params)
    .flatMap(({ name, options }) => {
      const isNaming = metaOf(params.shape[name]).names !== undefined
      const chosen = [values[name]].flat().filter((value) => value !== null && value !== undefined)
      if (isNaming) return chosen.flatMap((one) => nameOf(String(one)) ?? [])
      return chosen.map((one) => options?.find(({ value }) => value === one)?.label ?? String(one))
    })
    .join(', ')

/** The rows an action names, field by field. */
export const namedBy = (given: Action) => {
  const values: Record<string, unknown> = given
  return namingFields(definitionOf(given.kind)).map(({ name, names }) => ({
    path: name,
    names,
    ids: [values[name]].flat().filter((one) => typeof one === 'string' && one !== '') as string[], // filtered just here
  }))
}

/** The action with another row in the place of one that goes, or without it; undefined where nothing is left to do. */
export const withReplaced = (
  given: Action,
  { id, replacementId }: { id: string; replacementId: string | null },
): Action | undefined => {
  const touched = namedBy(given).filter(({ ids }) => ids.includes(id))
  if (!touched.length) return given
  const values: Record<string, unknown> = given
  const swap = (one: unknown) => (one === id ? replacementId : one)
  const changed = touched.map(({ path }) => {
    const value = values[path]
    const next = Array.isArray(value) ? [...new Set(value.map(swap))].filter((one) => one !== null) : swap(value)
    return [path, next]
  })
  return action.safeParse({ ...given, ...Object.fromEntries(changed) }).data
}
