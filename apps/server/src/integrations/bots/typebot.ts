import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { IntegrationAdapter } from '../adapter.ts'
import {
  type BotOption,
  type BotReply,
  type BotSays,
  type BotTurn,
  chatMarks,
  obeyed,
  readingPause,
} from '../bot-turn.ts'
import { call, opened, Refused } from './calls.ts'
import { type Asked, answerFor, asked, type Choice } from './typebot-answer.ts'
import { asJson, label, type TypebotContext, viewer } from './typebot-calls.ts'

const option = z.object({
  id: z.string(),
  content: loose(z.string()),
  title: loose(z.string()),
  description: loose(z.string()),
  value: loose(z.string()),
  /** Of a card: what may be chosen on it. */
  paths: loose(z.array(z.object({ id: z.string(), text: loose(z.string()) }))),
})
const isEnabled = loose(z.object({ isEnabled: loose(z.boolean()) }))
const input = z.object({
  id: loose(z.string()),
  type: z.string(),
  items: loose(z.array(option)),
  options: loose(
    z.object({
      isMultipleChoice: loose(z.boolean()),
      length: loose(z.number()),
      startsAt: loose(z.number()),
      isRequired: loose(z.boolean()),
      isMultipleAllowed: loose(z.boolean()),
      attachments: isEnabled,
      audioClip: isEnabled,
    }),
  ),
})
const bubble = z.object({
  id: loose(z.string()),
  type: z.string(),
  content: loose(
    z.looseObject({ markdown: loose(z.string()), richText: loose(z.array(z.unknown())), url: loose(z.string()) }),
  ),
})
const action = z.object({
  type: z.string(),
  lastBubbleBlockId: loose(z.string()),
  wait: loose(z.object({ secondsToWaitFor: loose(z.number()) })),
  redirect: loose(z.object({ url: loose(z.string()) })),
  expectsDedicatedReply: loose(z.boolean()),
})
const answer = z.object({
  sessionId: loose(z.string()),
  messages: loose(z.array(z.unknown())),
  input: loose(z.unknown()),
  clientSideActions: loose(z.array(z.unknown())),
})
/** Facts: Typebot's viewer API (Chat API 3.0.0): state stays there, under a session. */
export const typebot: IntegrationAdapter<'typebot'> = {
  test: async (context) => {
    await begin(context, { text: '', variables: {}, deadlineMs: 15_000 })
    return { text: 'O fluxo está publicado e respondeu.' }
  },
  converse: async (turn, context) => {
    const before = opened(turn.session, (value) => asked.safeParse(value))
    const { expiresAfter } = context.config
    const isOver = before && expiresAfter > 0 && Date.now() - before.at > expiresAfter * 60_000
    if (!before || isOver || turn.event !== 'message') return begin(context, turn)
    const given = await answerFor(before, turn, context)
    if ('tell' in given) return { session: turn.session, says: [{ kind: 'text', body: given.tell }] }
    try {
      const told = await (before.isOld
        ? sendOld(context, { sessionId: before.id, message: plainly(given.message) }, turn)
        : send(
            context,
            `v1/sessions/${encodeURIComponent(before.id)}/continueChat`,
            { message: given.message, textBubbleContentFormat: 'markdown' },
            turn,
          ))
      return replyOf(context, told, { id: before.id, isOld: before.isOld })
    } catch (error) {
      // The session is gone there: the flow begins again, once.
      if (error instanceof Refused && error.status === 404) return begin(context, turn)
      throw error
    }
  },
}

type Timed = Pick<BotTurn, 'deadlineMs'>
const send = async (context: TypebotContext, path: string, body: object, { deadlineMs }: Timed) => {
  const reply = await call({ label, context }, viewer(context, path), { ...asJson(body), timeoutMs: deadlineMs })
  return answer.parse(reply.json())
}
const sendOld = (context: TypebotContext, body: object, timed: Timed) => send(context, 'v1/sendMessage', body, timed)
const plainly = (message: object) => ('text' in message ? message.text : 'url' in message ? message.url : '')

const begin = async (
  context: TypebotContext,
  { text, variables, deadlineMs }: Pick<BotTurn, 'text' | 'variables' | 'deadlineMs'>,
) => {
  const { publicId } = context.config
  const body = {
    ...(text && { message: { type: 'text', text } }),
    isStreamEnabled: false,
    prefilledVariables: variables,
    textBubbleContentFormat: 'markdown',
  }
  try {
    const path = `v1/typebots/${encodeURIComponent(publicId)}/startChat`
    const told = await send(context, path, body, { deadlineMs })
    return replyOf(context, told, { id: told.sessionId ?? '', isOld: false })
  } catch (error) {
    if (!(error instanceof Refused) || (error.status !== 404 && error.status !== 405)) throw error
    // No such flow, or a server of before this address: the older one knows which.
    const startParams = { typebot: publicId, prefilledVariables: variables }
    const told = await sendOld(context, { ...(text && { message: text }), startParams }, { deadlineMs }).catch(
      (again: unknown) => {
        throw again instanceof Refused ? error : again
      },
    )
    return replyOf(context, told, { id: told.sessionId ?? '', isOld: true })
  }
}

/** Bubbles in their order, with the waits and links that follow them; then what is asked, as words and choices. */
const replyOf = (
  { config }: TypebotContext,
  told: z.output<typeof answer>,
  { id, isOld }: Pick<Asked, 'id' | 'isOld'>,
): BotReply => {
  const bubbles = (told.messages ?? []).flatMap((one) => bubble.safeParse(one).data ?? [])
  const actions = (told.clientSideActions ?? []).flatMap((one) => action.safeParse(one).data ?? [])
  const after = (id: string | undefined) => actions.filter((one) => one.lastBubbleBlockId === id).flatMap(sideOf)
  const spoken = bubbles.flatMap((one): BotSays[] => [...saysOf(one), ...after(one.id ?? '')])
  const known = new Set(bubbles.map(({ id }) => id))
  const loneActions = actions.filter(({ lastBubbleBlockId: id }) => !id || !known.has(id)).flatMap(sideOf)
  const paced = [...loneActions, ...spoken].flatMap((one, at): BotSays[] =>
    at > 0 && one.kind !== 'wait' && config.pauseS > 0
      ? [{ kind: 'wait', seconds: Math.max(config.pauseS, readingPause(one)) }, one]
      : [one],
  )
  const asks = input.safeParse(told.input).data
  const isWaited = asks || actions.some((one) => one.expectsDedicatedReply)
  const { says, ...ended } = obeyed(paced)
  if (!isWaited || ended.handOver || ended.isDone) return { session: null, says, isDone: !ended.handOver, ...ended }
  // Nobody can pay there from a conversation.
  if (asks?.type === 'payment input')
    return {
      session: null,
      says,
      handOver: { note: 'O fluxo do Typebot pediu um pagamento, que não cabe numa conversa.' },
    }
  const choices = asks ? choicesOf(asks) : []
  const { isMultipleChoice, isMultipleAllowed, isRequired = true, attachments, audioClip } = asks?.options ?? {}
  const session: Asked = {
    ...{ id, at: Date.now(), type: asks?.type ?? '', blockId: asks?.id ?? '', isOld, isRequired },
    isMany: isMultipleChoice ?? isMultipleAllowed ?? false,
    takesFiles: attachments?.isEnabled ?? false,
    takesAudio: audioClip?.isEnabled ?? false,
    choices: choices.map(({ choice }) => choice),
  }
  return {
    session: JSON.stringify(session),
    says: [
      ...says,
      ...(choices.length
        ? [{ kind: 'choices' as const, body: config.choiceMessage, options: choices.map((one) => one.shown) }]
        : []),
    ],
  }
}

const sideOf = ({ wait, redirect }: z.output<typeof action>): BotSays[] => [
  ...(wait?.secondsToWaitFor ? [{ kind: 'wait' as const, seconds: Math.min(20, wait.secondsToWaitFor) }] : []),
  ...(redirect?.url ? [{ kind: 'text' as const, body: redirect.url }] : []),
]

const saysOf = ({ type, content }: z.output<typeof bubble>): BotSays[] => {
  const url = content?.url
  if (type === 'text') {
    const body = content?.markdown === undefined ? plain(content?.richText ?? []) : chatMarks(content.markdown)
    return body.trim() ? [{ kind: 'text', body: body.trim() }] : []
  }
  if (!url) return []
  const isFile = type === 'image' || type === 'audio' || (type === 'video' && (content.type ?? 'url') === 'url')
  return isFile ? [{ kind: 'file', url, caption: '' }] : [{ kind: 'text', body: url }]
}

/** The text of a rich-text tree, a paragraph a line: servers that know no markdown answer so. */
const plain = (nodes: readonly unknown[]): string => nodes.map((node) => textOf(node)).join('\n')
const textOf = (node: unknown): string => {
  const { text, children, url } =
    z
      .looseObject({ text: loose(z.string()), children: loose(z.array(z.unknown())), url: loose(z.string()) })
      .safeParse(node).data ?? {}
  const inner = text ?? (children ?? []).map(textOf).join('')
  return url && url !== inner ? `${inner} (${url})` : inner
}

/** What may be chosen, as it is shown and as it is understood again. */
const choicesOf = ({ type, items = [], options }: z.output<typeof input>): { shown: BotOption; choice: Choice }[] => {
  if (type === 'rating input') {
    const [from, length] = [options?.startsAt ?? 0, options?.length ?? 10]
    return Array.from({ length: Math.max(0, Math.min(20, length - from + 1)) }, (_, n) => {
      const id = String(from + n)
      return { shown: { id, title: id, description: '' }, choice: { id, words: [id] } }
    })
  }
  return items.flatMap((one) => {
    const title = one.content ?? one.title ?? one.value ?? ''
    if (one.paths?.length)
      return one.paths.map((path) =>
        shown(path.id, [one.title, path.text].filter(Boolean).join(': '), one.description, [path.text]),
      )
    return [shown(one.id, title, one.description, [title, one.value])]
  })
}
const shown = (id: string, title: string, description = '', words: (string | undefined)[] = []) => ({
  shown: { id, title, description },
  choice: { id, words: words.filter((one): one is string => Boolean(one)) },
})
