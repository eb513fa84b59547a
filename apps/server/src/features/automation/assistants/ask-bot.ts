import type { AssistantConfig } from '@balcao/contract/automation/assistants/config.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Conversation } from '../../conversations/messages/system-messages.ts'
import { thinkingS } from '../../conversations/turns/thinking.ts'
import type { AssistantCard, Directory } from '../../core/directory/directory.ts'
import { type BotAdapter, type BotPart, botOf } from './bots.ts'
import type { Made } from './make-answer.ts'
import { stepOf } from './make-answer.ts'
import { isWord, ruleOf } from './rules.ts'
import type { Session, TalkRow, VersionRow } from './runs.rows.ts'

/** The bot of the first account, where it is one: it answers instead of a model. */
export const botBehind = async (
  tx: Tx,
  { integrationIds: [first] }: AssistantConfig,
): Promise<BotAdapter | undefined> => {
  const [account] = first ? await tx.rows<{ kind: string }>(kindOf, [tx.tenantId, first]) : []
  return account && botOf(account.kind)
}

type Begun = {
  tenantId: number
  id: string
  directory: Directory
  conversation: Conversation
  session: Session
  card: AssistantCard
  version: VersionRow
  heard: TalkRow[]
  /** Nobody waits for the answer any more. */
  signal: AbortSignal
}
/** One call of a bot elsewhere, as what a model would have made; the company's own words for stopping come first. */
export const askBot = async (adapter: BotAdapter, begun: Begun) => {
  const { tenantId, id, directory, conversation, session, card, version, heard, signal } = begun
  const { config } = version
  const startedAt = performance.now()
  const said = heard
    .map(({ body }) => body)
    .filter(Boolean)
    .join('\n')
  const isRestarted = isWord(config.restartWords, said)
  const rule = ruleOf(config, said, isRestarted ? 0 : session.turns)
  const empty: Made = {
    ...{
      text: '',
      handOver: rule ?? null,
      summary: '',
      effects: [],
      pending: null,
      isRestarted,
      passages: [],
      gap: null,
    },
    ...{ steps: [], costMicros: 0, integrationId: config.integrationIds[0] ?? null, ms: 0 },
  }
  if (rule) return { made: empty, bot: undefined }
  const answered = await adapter.respond({
    tenantId,
    integrationId: config.integrationIds[0] ?? '',
    ticketId: conversation.id,
    assistantId: card.id,
    session: isRestarted ? null : session.botSession,
    text: said,
    attachments: heard.flatMap(({ mediaId, type, fileName, mime, size }) =>
      mediaId ? [{ mediaId, type, name: fileName ?? '', mime: mime ?? '', size: size ?? 0 }] : [],
    ),
    variables: variablesOf(begun),
    event: isRestarted ? 'restart' : session.botSession === null ? 'start' : 'message',
    timeZone: directory.timezone,
    idempotencyKey: id,
    deadlineMs: (thinkingS - 20) * 1_000,
    signal,
  })
  const parts = answered.parts.flatMap((one) => (one.kind === 'part' ? [one.part] : []))
  const afterMs = pausesOf(answered.parts)
  const output = parts.map(({ body }) => body).join('\n')
  const made: Made = {
    ...empty,
    text: output,
    handOver: answered.handOver ? 'bot' : null,
    summary: answered.handOver?.note ?? '',
    effects: answered.tagIds?.length
      ? [{ do: 'action', label: 'Etiquetar a conversa', action: { kind: 'addTags', tagIds: [...answered.tagIds] } }]
      : [],
    steps: [stepOf('model', 'robô', { input: said, output, startedAt })],
    ms: Math.round(performance.now() - startedAt),
  }
  const bot = {
    ...{ session: answered.session, vars: { ...answered.variables }, parts, afterMs },
    ...{ queueId: answered.handOver?.queueId ?? null, done: answered.done ?? false },
  }
  return { made, bot }
}

/** When each part leaves: what the bot waits between them adds up. */
const pausesOf = (said: readonly BotPart[]): number[] => {
  let atMs = 0
  return said.flatMap((one) => {
    if (one.kind === 'part') return [atMs]
    atMs = Math.min(mostPauseMs, atMs + one.seconds * 1_000)
    return []
  })
}
/** The longest a customer waits for the last of what is said at once. */
const mostPauseMs = 60_000

/** What every bot is told, with what it kept before. */
const variablesOf = ({ directory, conversation, session, card }: Begun): Record<string, string> => ({
  ...session.vars,
  nome: conversation.contact.name,
  numero: conversation.contact.number ?? '',
  contato: conversation.contactId,
  atendimento: conversation.id,
  email: conversation.contact.email ?? '',
  status: conversation.status,
  canal: conversation.kind,
  grupo: String(conversation.isGroup),
  protocolo: conversation.protocol,
  assistente: card.name,
  fullTicket: fullTicket(directory, conversation),
})

/** The whole conversation's state in one variable, for flows that take it apart themselves. */
const fullTicket = ({ queues, connections }: Directory, of: Conversation): string => {
  const { id, protocol, status, kind, isGroup, startedAt, contact } = of
  const [queue, connection] = [queues.get(of.queueId ?? ''), connections.get(of.connectionId)]
  return JSON.stringify({
    ...{ id, protocol, status, channel: kind, isGroup, startedAt },
    queue: queue ? { id: queue.id, name: queue.name } : null,
    connection: connection ? { id: connection.id, name: connection.name } : null,
    contact: { id: of.contactId, ...contact },
  })
}

const kindOf: Prepared = {
  name: 'assistant_account_kind',
  text: 'select kind from integrations where tenant_id = $1 and id = $2',
}
