import type { Part } from '@balcao/contract/conversations/parts.ts'
import { type BotKind, botKinds } from '@balcao/contract/core/integrations/bots.ts'
import type { IntegrationAdapter } from '../../../integrations/adapter.ts'
import { loadIntegration } from '../../../integrations/index.ts'
import { ModelProblem } from '../../../integrations/model-problem.ts'
import { http } from '../../../kit/egress.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { contextOf, requireIntegration } from '../../core/integrations/integrations.service.ts'
import { readFileBytes, storeFile } from '../../core/media/media.service.ts'
import { AnswerError } from './answering.ts'
import type { BotAdapter, BotAnswered, BotAsked, BotAttachment } from './bots.ts'

type Converse = NonNullable<IntegrationAdapter<BotKind>['converse']>
type SentFile = Parameters<Converse>[0]['files'][number]
type BotSays = Awaited<ReturnType<Converse>>['says'][number]

/** Typebot, Dialogflow, n8n and Dify behind an assistant; Vapi speaks on the phone and answers nobody in writing. */
const answers = botKinds.filter((kind): kind is Exclude<BotKind, 'vapi'> => kind !== 'vapi')

const respond = async (asked: BotAsked): Promise<BotAnswered> => {
  const { tenantId, integrationId, session, event, text, variables, idempotencyKey, deadlineMs } = asked
  try {
    const row = await requireIntegration(tenantId, integrationId)
    const { converse } = await loadIntegration(row.kind)
    if (!converse) throw new AnswerError('config', 'Esta conta não responde por escrito.')
    const files = asked.attachments.map((one) => sentFile(tenantId, one))
    const turn = { session, event, text, files, variables, idempotencyKey, deadlineMs }
    const reply = await converse(turn, contextOf(row))
    const parts: BotAnswered['parts'][number][] = []
    for (const one of reply.says)
      parts.push(one.kind === 'wait' ? one : { kind: 'part', part: await partOf(tenantId, one) })
    return {
      ...{ session: reply.session, parts, done: reply.isDone, variables: reply.variables },
      ...(reply.handOver && {
        handOver: { queueId: await queueNamed(tenantId, reply.handOver.queue), note: reply.handOver.note },
      }),
    }
  } catch (error) {
    throw problemOf(error)
  }
}
export const writtenBots: Readonly<Record<string, BotAdapter>> = Object.fromEntries(
  answers.map((kind) => [kind, { respond }]),
)

const kinds: Record<string, SentFile['kind']> = { image: 'image', audio: 'audio', voice: 'audio', video: 'video' }
const sentFile = (tenantId: number, { mediaId, type, name, mime }: BotAttachment): SentFile => ({
  ...{ kind: kinds[type] ?? 'document', name, mime, url: null },
  bytes: async () => (await readFileBytes(tenantId, mediaId)).bytes,
})

const text = (body: string): Part => ({ kind: 'text', body: body.slice(0, 4_000), mediaId: null, interactive: null })
const mostButtons = 3
const mostRows = 10
const partOf = async (tenantId: number, said: Exclude<BotSays, { kind: 'wait' }>): Promise<Part> => {
  if (said.kind === 'text') return text(said.body)
  if (said.kind === 'file') return fileOf(tenantId, said)
  if (said.options.length > mostRows)
    return text([said.body, ...said.options.map(({ title }) => `• ${title}`)].join('\n'))
  const isList = said.options.length > mostButtons
  return {
    ...{ kind: 'choices', body: said.body.slice(0, 1_000) || 'Escolha uma opção:', mediaId: null },
    interactive: {
      ...{ kind: isList ? 'list' : 'buttons', header: '', footer: '', button: isList ? 'Ver opções' : '' },
      options: said.options.map(({ id, title, description }, at) => ({
        id: id.slice(0, 200) || String(at + 1),
        title: title.trim().slice(0, isList ? 24 : 20) || String(at + 1),
        description: description.slice(0, 72),
      })),
    },
  }
}

const mostBytes = 16 * 1024 * 1024
/** The file itself; where it cannot be fetched, its address. */
const fileOf = async (tenantId: number, { url, caption }: { url: string; caption: string }): Promise<Part> => {
  try {
    const { status, bytes, headers } = await http(url, { timeoutMs: 20_000, maxBytes: mostBytes })
    if (status !== 200) throw new Error(`The file answered ${status}`)
    const name = new URL(url).pathname.split('/').at(-1) || 'arquivo'
    const file = await storeFile({ tenantId, name, bytes, declaredMime: headers['content-type'], isOurs: true })
    return { kind: 'file', body: caption.slice(0, 1_000), mediaId: file.id, interactive: null }
  } catch {
    return text([caption, url].filter(Boolean).join('\n'))
  }
}

/** By its id or its name. */
const queueNamed = async (tenantId: number, wanted: string | undefined): Promise<string | null> => {
  if (!wanted) return null
  const { queues } = await getDirectory(tenantId)
  const name = wanted.toLocaleLowerCase('pt-BR')
  return (
    [...queues.values()].find((one) => one.id === wanted || one.name.toLocaleLowerCase('pt-BR') === name)?.id ?? null
  )
}

const problemOf = (error: unknown): unknown => {
  if (error instanceof AppError) return new AnswerError('config', sentenceOf(error))
  if (!(error instanceof ModelProblem)) return error
  const { kind } = error
  return new AnswerError(kind === 'speed' || kind === 'network' || kind === 'money' ? kind : 'config', error.message)
}
