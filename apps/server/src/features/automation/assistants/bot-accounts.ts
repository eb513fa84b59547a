import type { Part } from '@balcao/contract/conversations/parts.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { type BotKind, botKinds } from '@balcao/contract/core/integrations/bots.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { fileAt } from '../../../channels/file-at.ts'
import type { IntegrationAdapter } from '../../../integrations/adapter.ts'
import { type BotOption, type BotSays, paced, type SentFile } from '../../../integrations/bot-turn.ts'
import { loadIntegration } from '../../../integrations/index.ts'
import { ModelProblem, Unsent } from '../../../integrations/model-problem.ts'
import { direct } from '../../../kit/egress.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { contextOf, requireIntegration } from '../../core/integrations/integrations.service.ts'
import { providerAddress } from '../../core/media/media.present.ts'
import { readFileBytes, storeFile } from '../../core/media/media.service.ts'
import { reportBroken } from '../models/accounts.ts'
import { AnswerError } from './answering.ts'
import type { BotAdapter, BotAnswered, BotAsked, BotPart } from './bots.ts'

const respond = async (kind: BotKind, asked: BotAsked): Promise<BotAnswered> => {
  const row = await requireIntegration(asked.tenantId, asked.integrationId).catch((error: unknown) => {
    throw error instanceof AppError ? new AnswerError('config', sentenceOf(error)) : error
  })
  const { converse } = (await loadIntegration(kind)) as IntegrationAdapter<BotKind> // each speaks of its own kind
  if (!converse) throw new Error(`${kind} does not converse`)
  const { session, event, text, variables, timeZone, idempotencyKey, deadlineMs, signal } = asked
  const files = asked.attachments.flatMap((one) => sentFile(asked.tenantId, one) ?? [])
  const turn = { session, event, text, files, variables, timeZone, idempotencyKey, deadlineMs, signal }
  const reply = await converse(turn, contextOf({ ...row, kind })).catch(async (error: unknown) => {
    if (!(error instanceof ModelProblem)) throw error
    if (error.isOfAccount) await reportBroken({ ...row, isBroken: row.state === 'broken' }, error)
    throw new AnswerError(againKind(error), error.message)
  })
  const parts = await Promise.all(paced(reply.says, kind !== 'typebot').map((one) => asPart(asked.tenantId, one)))
  return {
    session: reply.session,
    parts,
    done: reply.isDone,
    ...(reply.tags && { tagIds: await tagsNamed(asked.tenantId, reply.tags) }),
    variables: reply.variables,
    ...(reply.handOver && {
      handOver: { note: reply.handOver.note, queueId: await queueNamed(asked.tenantId, reply.handOver.queue) },
    }),
  }
}
/** Only what was surely not heard is tried again: a bot takes the same words twice for two answers. */
const againKind = (error: ModelProblem) =>
  error instanceof Unsent ? 'network' : error.kind === 'speed' ? 'speed' : 'config'

/** What a company's accounts of these kinds answer with. */
export const botAccounts = Object.fromEntries(
  botKinds.map((kind) => [kind, { respond: (asked) => respond(kind, asked) } satisfies BotAdapter]),
)

const kinds = ['image', 'audio', 'video', 'document'] as const
const sentFile = (
  tenantId: number,
  { mediaId, type, name, mime, size }: BotAsked['attachments'][number],
): SentFile | undefined => {
  const kind = kinds.find((one) => one === type)
  return (
    kind && {
      ...{ kind, name, mime, size },
      url: providerAddress(tenantId, { id: mediaId, name })?.() ?? null,
      bytes: async () => (await readFileBytes(tenantId, mediaId)).bytes,
    }
  )
}

const asPart = async (tenantId: number, says: BotSays): Promise<BotPart> => {
  switch (says.kind) {
    case 'wait':
      return says
    case 'text':
      return { kind: 'part', part: words(says.body) }
    case 'choices':
      return { kind: 'part', part: choices(says.body, says.options) }
    case 'file':
      return { kind: 'part', part: await file(tenantId, says.url, says.caption) }
  }
}
const words = (body: string): Part => ({ kind: 'text', body: cutText(body, 4_000), mediaId: null, interactive: null })

/** Buttons or a list where they fit what channels carry, else the options written below, numbered. */
const choices = (body: string, options: readonly BotOption[]): Part => {
  const isShort = options.length <= 3 && options.every(({ title }) => title.length <= 20)
  const isList = options.length <= 10 && options.every(({ title }) => title.length <= 24)
  if (!isShort && !isList)
    return words(
      [
        body,
        ...options.map(({ title, description }, at) => `${at + 1}. ${[title, description].filter(Boolean).join(': ')}`),
      ].join('\n'),
    )
  return {
    kind: 'choices',
    body: cutText(body, 1_024),
    mediaId: null,
    interactive: {
      kind: isShort ? 'buttons' : 'list',
      header: '',
      footer: '',
      button: isShort ? '' : 'Ver opções',
      options: options.map(({ id, title, description }) => ({
        id: id.slice(0, 200),
        title,
        description: isShort ? '' : cutText(description, 72),
      })),
    },
  }
}

/** A file at an address of the bot's becomes one of ours; where it cannot be had, the customer gets the address. */
const file = async (tenantId: number, url: string, caption: string): Promise<Part> => {
  try {
    const { stream } = await fileAt(url, direct, () => new ChannelError('final', 'gone'))
    if (!stream) return words(url)
    const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') || 'arquivo'
    const { id } = await storeFile({ tenantId, stream, name })
    return { kind: 'file', body: cutText(caption, 1_024), mediaId: id, interactive: null }
  } catch (error) {
    log.info({ err: error, tenantId }, 'file of a bot not fetched')
    return words([caption, url].filter(Boolean).join('\n'))
  }
}

/** A queue by its id or its name, as a bot's author wrote it. */
const queueNamed = async (tenantId: number, wanted: string | undefined): Promise<string | null> => {
  if (!wanted) return null
  const { queues } = await getDirectory(tenantId)
  const said = wanted.trim().toLowerCase()
  return [...queues.values()].find(({ id, name }) => id === said || name.toLowerCase() === said)?.id ?? null
}

/** Tags by their ids or names; what the company does not have is left out. */
const tagsNamed = async (tenantId: number, wanted: readonly string[]): Promise<string[]> => {
  const { tags } = await getDirectory(tenantId)
  const said = new Set(wanted.map((one) => one.trim().toLowerCase()))
  return [...tags.values()].filter(({ id, name }) => said.has(id) || said.has(name.toLowerCase())).map(({ id }) => id)
}
