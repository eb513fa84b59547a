import { createHmac } from 'node:crypto'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { signedHeaders } from '../../kit/standard-webhooks.ts'
import { textOfHtml } from '../../kit/text-of-html.ts'
import type { IntegrationAdapter, IntegrationContext } from '../adapter.ts'
import { type BotReply, type BotSays, type BotTurn, chatMarks, obeyed } from '../bot-turn.ts'
import { call } from './calls.ts'

const label = 'O n8n'
type Context = IntegrationContext<'n8n'>

const words = loose(z.union([z.string(), z.array(z.string())]))
const answer = z.object({
  output: words,
  answer: words,
  text: words,
  message: words,
  media: loose(z.array(z.object({ url: z.string(), caption: loose(z.string()) }))),
  actions: loose(
    z.array(
      z.object({
        type: z.string(),
        queueId: loose(z.string()),
        queue: loose(z.string()),
        tagId: loose(z.string()),
        tag: loose(z.string()),
      }),
    ),
  ),
})
/** What a workflow answers that replies later, or not at all. */
const started = 'Workflow was started'

/**
 * Facts: n8n's Webhook and Respond to Webhook nodes. A workflow has effects of its own, so a call that may have arrived is
 * not repeated; it is told apart by `messageId` and the header `Idempotency-Key`.
 */
export const n8n: IntegrationAdapter<'n8n'> = {
  test: async (context) => {
    await post(context, { event: 'test', chatInput: '', sessionId: 'teste', messageId: 'teste' }, 'teste', 15_000)
    return { text: 'O fluxo do n8n recebeu o teste (event: test).' }
  },
  converse: async (turn, context) => {
    const reply = await post(
      context,
      bodyOf(turn),
      turn.idempotencyKey,
      Math.min(turn.deadlineMs, context.config.timeoutS * 1_000),
    )
    return replyOf(reply)
  },
}

const post = async (context: Context, body: object, key: string, timeoutMs: number) => {
  const { auth, user, password, headerName, headerValue, jwtSecret, signingSecret, url } = context.config
  const text = JSON.stringify(body)
  const headers: Record<string, string> = { 'content-type': 'application/json', 'idempotency-key': key }
  if (auth === 'basic') headers.authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  if (auth === 'header' && headerName) headers[headerName.toLowerCase()] = headerValue ?? ''
  if (auth === 'jwt') headers.authorization = `Bearer ${tokenFor(jwtSecret ?? '', key)}`
  if (signingSecret) Object.assign(headers, signedHeaders(signingSecret, { id: key, body: text }))
  return call({ label, context }, url, { method: 'POST', headers, body: text, timeoutMs })
}

/** A token (RFC 7519, HS256) for this one call. */
const tokenFor = (secret: string, jti: string): string => {
  const iat = Math.floor(Date.now() / 1_000)
  const text = [
    { alg: 'HS256', typ: 'JWT' },
    { iss: 'balcao', jti, iat, exp: iat + 300 },
  ]
    .map((one) => Buffer.from(JSON.stringify(one)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const bodyOf = ({ text, files, event, variables, idempotencyKey }: BotTurn) => {
  const [file] = files
  return {
    event,
    action: 'sendMessage',
    chatInput: text,
    sessionId: variables.atendimento,
    ticketId: variables.atendimento,
    messageId: idempotencyKey,
    channel: variables.canal,
    contact: { name: variables.nome, number: variables.numero, email: variables.email },
    message: {
      type: file?.kind ?? 'text',
      body: text,
      mediaUrl: file?.url ?? null,
      media: files.map(({ kind, name, mime, url }) => ({ type: kind, name, mime, url })),
      timestamp: Math.floor(Date.now() / 1_000),
    },
    variables,
  }
}

const replyOf = ({ headers, bytes, json }: Awaited<ReturnType<typeof post>>): BotReply => {
  const session = 'n8n'
  if (!bytes.length) return { session, says: [] }
  if (!headers['content-type']?.includes('json')) {
    const type = headers['content-type'] ?? ''
    const said = bytes.toString('utf8')
    const body = type.startsWith('text/html') ? textOfHtml(said).trim() : type.startsWith('text/plain') ? said : ''
    return { session, ...obeyed(body ? [{ kind: 'text', body: cutText(body, 4_000) }] : []) }
  }
  const body = json()
  const one = answer.safeParse(Array.isArray(body) ? body[0] : body).data
  if (!one || one.message === started) return { session, says: [] }
  const said = [one.output ?? one.answer ?? one.text ?? one.message ?? []].flat()
  const says: BotSays[] = [
    ...said.flatMap((text): BotSays[] => (text.trim() ? [{ kind: 'text', body: chatMarks(text) }] : [])),
    ...(one.media ?? []).map(({ url, caption = '' }): BotSays => ({ kind: 'file', url, caption })),
  ]
  const told = obeyed(says)
  const transfer = one.actions?.find(({ type }) => type === 'transfer' || type === 'pause')
  const tags = one.actions?.flatMap(({ type, tagId, tag }) => (type === 'tag' ? (tagId ?? tag ?? []) : [])) ?? []
  const isDone = told.isDone || one.actions?.some(({ type }) => type === 'close')
  const handOver = transfer ? { queue: transfer.queueId ?? transfer.queue } : told.handOver
  return {
    session: isDone ? null : session,
    says: told.says,
    ...(handOver && { handOver }),
    ...(isDone && { isDone: true }),
    ...(tags.length > 0 && { tags }),
  }
}
