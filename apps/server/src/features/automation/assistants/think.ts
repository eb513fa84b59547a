import { type AssistantConfig, onConnection } from '@balcao/contract/automation/assistants/config.ts'
import { freeTimes, lookUntil } from '@balcao/contract/automation/flows/free-times.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { fillVariables, type VariableContext } from '@balcao/contract/variables.ts'
import { v5 } from 'uuid'
import { readTenant, type Tx, withTenant, withTenantAfter } from '../../../db/database.ts'
import { http } from '../../../kit/egress.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import { showAnswering } from '../../conversations/messages/message-actions.ts'
import type { Conversation } from '../../conversations/messages/system-messages.ts'
import { commitTicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import type { TakenTurn } from '../../conversations/turns/owners.ts'
import { thinkingS } from '../../conversations/turns/thinking.ts'
import {
  type AssistantCard,
  assistantsFor,
  type Directory,
  getDirectory,
  isForOwner,
} from '../../core/directory/directory.ts'
import { readFileBytes } from '../../core/media/media.service.ts'
import { flowHooks } from '../flows/hooks.ts'
import { findLoan } from '../flows/loans.ts'
import { isOpen } from '../flows/starts.ts'
import { searchKnowledge } from '../knowledge/search.ts'
import { speakText } from '../models/speak.ts'
import { AnswerError, type TalkPart } from './answering.ts'
import { askBot, botBehind } from './ask-bot.ts'
import { type BotAdapter, botOf } from './bots.ts'
import { authorOf } from './give.ts'
import { flowWordIn, giveBack } from './lent.ts'
import { type Line, type Made, makeAnswer, type Situation } from './make-answer.ts'
import { isReadable, readAttachment } from './read-attachment.ts'
import {
  type Coming,
  endRun,
  findComing,
  insertRun,
  isThinking,
  keepMade,
  type Opening,
  openingAsks,
  openingOf,
  openSession,
  readForThought,
  type Session,
  saveSession,
  type TalkRow,
  type VersionRow,
} from './runs.rows.ts'
import { streamAnswer } from './stream-answer.ts'
import { summarise } from './summarise.ts'
import type { CalendarWorld } from './tools.ts'

/** A thought holds no transaction; what it reads and keeps waits for its turn, so people find the database free. */
const atDatabase = createLimit(4)
const mostTries = 2
/** A file that is put before a model. */
const mostBytes = 5 * 1024 * 1024

type Begun = {
  id: string
  directory: Directory
  conversation: Conversation
  session: Session
  card: AssistantCard
  version: VersionRow
  /** Answers instead of a model. */
  bot: BotAdapter | undefined
  history: TalkRow[]
  heard: TalkRow[]
  attempts: number
}

/** Makes the answer this turn is about and keeps it as a run that is ready. Nothing is done to the conversation yet. */
export const think = async (turn: TakenTurn): Promise<void> => {
  const { tenantId, ticketId } = turn
  const directory = await getDirectory(tenantId)
  const begun = await atDatabase(() =>
    withTenantAfter(tenantId, openingAsks(tenantId, [ticketId]), (tx, read) =>
      begin(tx, turn, directory, openingOf(read, ticketId)),
    ),
  )
  if (!begun) return
  let made: Made
  let problem: string | null = null
  let bot: Awaited<ReturnType<typeof askBot>>['bot'] | undefined
  const stopTyping = keepTyping(tenantId, ticketId, begun.card.name)
  const wanted = begun.bot && whileWanted(tenantId, begun.id)
  const isSpoken = speaksTo(begun)
  const stream =
    begun.version.config.streams && !isSpoken
      ? streamAnswer({
          ...begun,
          run: { id: begun.id, ticketId },
          inTenant: (work) => atDatabase(() => withTenant(tenantId, work)),
        })
      : undefined
  try {
    if (begun.bot && wanted) ({ made, bot } = await askBot(begun.bot, { tenantId, ...begun, signal: wanted.signal }))
    else {
      const situation = await situationOf(tenantId, begun)
      made = await makeAnswer({ ...situation, onText: stream?.onText })
      await summarise(made, situation)
    }
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error)
    const isFinal = error instanceof AnswerError && (error.kind === 'config' || error.kind === 'money')
    if (!isFinal && turn.attempts < mostTries) {
      await withTenant(tenantId, async (tx) => endRun(tx, begun.id, 'failed', { problem: told.slice(0, 500) }))
      throw error
    }
    const isMoney = error instanceof AnswerError && error.kind === 'money'
    made = isMoney ? { ...nothingMade, handOver: 'budget' } : nothingMade
    problem = told.slice(0, 500)
  } finally {
    stopTyping()
    wanted?.stop()
    await stream?.stop()
  }
  const { text, summary, effects, pending, isRestarted, gap } = made
  const voice = isSpoken && !bot && isSayable(text) ? await speakAnswer(tenantId, begun, text) : undefined
  const plan = { text, summary, effects, pending, isRestarted, gap, ...(bot && { bot }), ...(voice && { voice }) }
  await atDatabase(() =>
    withTenant(tenantId, async (tx) => keepMade(tx, { id: begun.id, ticketId }, { plan, made, problem })),
  )
}

/** Longer ones are read, and an address is pressed. */
const mostSpoken = 1_200
const isSayable = (text: string) => text.length > 0 && text.length <= mostSpoken && !/https?:\/\//.test(text)
const speaksTo = ({ version, heard, conversation }: Begun) =>
  version.config.voice !== 'never' &&
  conversation.abilities.supports.includes('audio') &&
  (version.config.voice === 'always' || heard.some(({ type }) => type === 'audio'))
/** The voice note of an answer; undefined: it is written. */
const speakAnswer = (tenantId: number, { id, card, version, conversation }: Begun, text: string) =>
  speakText({
    ...{ tenantId, text, integrationIds: version.config.integrationIds, ticketId: conversation.id, key: id },
    assistant: { id: card.id, budgetCents: version.config.budgetCents },
  }).catch((error) => {
    log.warn({ err: error, tenantId, ticketId: conversation.id }, 'answer not spoken')
    return undefined
  })

/** Signs of writing end by themselves after some seconds at every provider. */
const typingEveryMs = 5_000
/** The customer sees that somebody is writing, on channels that show it, until it is told to stop. */
const keepTyping = (tenantId: number, ticketId: string, name: string) => {
  const show = (isTyping = true) => void showAnswering(tenantId, ticketId, { name, isTyping })
  show()
  const timer = setInterval(show, typingEveryMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    show(false)
  }
}

const lookEveryMs = 2_000
/** A bot's answer may take minutes and cost at its own place: it is told when a person has taken the conversation. */
const whileWanted = (tenantId: number, runId: string) => {
  const unwanted = new AbortController()
  const look = async () => {
    const isWanted = await atDatabase(() => withTenant(tenantId, (tx) => isThinking(tx, runId)))
    if (!isWanted) unwanted.abort()
  }
  const timer = setInterval(
    () => look().catch((error) => log.warn({ err: error, tenantId, runId }, 'run not looked at')),
    lookEveryMs,
  )
  timer.unref()
  return { signal: unwanted.signal, stop: () => clearInterval(timer) }
}

const nothingMade: Made = {
  ...{ text: '', handOver: 'failed', summary: '', effects: [], pending: null, isRestarted: false, passages: [] },
  ...{ gap: null, steps: [], costMicros: 0, integrationId: null, ms: 0 },
}

/** Takes the words nobody has answered, unless somebody is at it, or something is ready to be given. */
const begin = async (
  tx: Tx,
  turn: TakenTurn,
  directory: Directory,
  { conversation, run: before, ...known }: Opening,
): Promise<Begun | undefined> => {
  const { ticketId } = turn
  if (!conversation || conversation.status === 'closed' || conversation.isBotBlocked) return undefined
  if (conversation.status === 'open' && conversation.userId) return undefined
  const session = known.session ?? (await openSession(tx, ticketId))
  const card = cardOf(directory, conversation, session, turn)
  if (!card) return undefined
  const since = Math.max(session.heardSeq, session.fromSeq)
  const found = await readForThought(tx, {
    ...{ ticketId, assistantId: card.id, fromSeq: session.fromSeq, heardSeq: since },
    transcribes: directory.settings.transcribeAudios,
  })
  if (!found) return undefined
  const { talk, stream: unfinished } = found
  const version = { ...found.version, config: onConnection(found.version.config, conversation.connectionId) }
  const heard = talk.filter(({ seq, fromMe }) => !fromMe && seq > since)
  const last = heard.at(-1)
  if (before) {
    const isNewer = last !== undefined && last.seq > before.heardSeq
    const isWaitedFor = version.config.esperarProcessamento || !isNewer
    if (isWaitedFor && (before.state === 'ready' || before.isLeased)) return undefined
    endRun(tx, before.id, before.state === 'ready' || before.isLeased ? 'overtaken' : 'failed')
  }
  const loan = conversation.bot && conversation.chatFlowId ? await findLoan(tx, ticketId) : undefined
  const word = loan && flowWordIn(loan, heard)
  if (loan && word !== undefined) {
    const vars = { mensagem: word }
    await giveBack(tx, ticketId, loan, { author: card, port: 'words', note: word, vars, heardSeq: last?.seq })
    return undefined
  }
  if (!last || waitUntil(found.coming, version.config, card)) return undefined
  if (conversation.bot !== card.bot) await takeUp(tx, conversation, card)
  saveSession(tx, ticketId, { ...session, assistantId: card.id })
  const id = insertRun(
    tx,
    { ticketId, assistantId: card.id, versionId: version.id, heardSeq: last.seq, asked: heard.map(asked).join('\n') },
    thinkingS + 30,
  )
  // What was begun to be said is said anew.
  const history = talk.filter(({ seq, fromMe }) => (fromMe ? seq !== unfinished?.seq : seq <= since))
  const isOwnAccount = version.config.integrationIds[0] === found.version.config.integrationIds[0]
  const bot = isOwnAccount ? found.kind && botOf(found.kind) : await botBehind(tx, version.config)
  return {
    id,
    directory,
    conversation,
    session,
    card,
    version,
    bot: bot || undefined,
    history,
    heard,
    attempts: turn.attempts,
  }
}
/** Where nobody tells when something is over: a file that is fetched, somebody else who thinks about an older word. */
export const lookAgainMs = 1_000
/**
 * An audio is heard with its words, and what was said after it then, unless they take too long; so is a file by whoever
 * looks at it.
 */
const waitUntil = ({ words, files }: Coming, { reads }: AssistantConfig, { bot }: AssistantCard): Date | undefined => {
  if (reads.audio && words) return words
  const looks = reads.images || reads.documents || botOf(bot ?? '') !== undefined
  return looks && files ? new Date(Math.min(files.getTime(), Date.now() + lookAgainMs)) : undefined
}
export const waitsForMore = async (
  tx: Tx,
  { settings }: Directory,
  { config, card, ...of }: { ticketId: string; heardSeq: number; config: AssistantConfig; card: AssistantCard },
): Promise<Date | undefined> =>
  waitUntil(await findComing(tx, { ...of, transcribes: settings.transcribeAudios }), config, card)
const asked = ({ body, type }: TalkRow) => body || `[${type}]`

/** The one that has it in hand, else the one whose turn it is: of its flag, or of new conversations. */
const cardOf = (
  directory: Directory,
  conversation: Conversation,
  session: Session,
  { ownerId, payload }: TakenTurn,
) => {
  const here = assistantsFor(directory, conversation)
  if (conversation.bot) {
    const isLent = conversation.chatFlowId && !isForOwner(directory, conversation)
    const lent = isLent ? directory.assistants.get(session.assistantId ?? '') : undefined
    if (lent?.bot === conversation.bot && lent.isActive && lent.publishedId) return lent
    const those = here.filter(({ bot }) => bot === conversation.bot)
    const chosen = payload.start === 'hand' ? those.find(({ id }) => id === ownerId) : undefined
    return chosen ?? those.find(({ id }) => id === session.assistantId) ?? those[0]
  }
  if (conversation.chatFlowId || conversation.assistantAt) return undefined
  return here.find(({ allTickets, bot }) => allTickets || (bot && directory.settings[`${bot}AllTickets`]))
}

/** From now on the flag of the conversation is its own. */
const takeUp = async (tx: Tx, { id, queueId }: Conversation, card: AssistantCard) => {
  const before = await lockTicket(tx, id)
  if (!before) return
  const logs = [{ type: 'bot' as const, userId: null, queueId, note: card.name }]
  await commitTicketChange(tx, { before, set: { bot: card.bot, assistantAt: 'now' }, logs }, authorOf(card))
}

const situationOf = async (tenantId: number, begun: Begun): Promise<Situation> => {
  const { directory, conversation, session, card, version, history, heard } = begun
  const { config } = version
  const key = [conversation.id, version.id, session.heardSeq, heard.at(-1)?.seq].join(':')
  const { contact, protocol, id: ticketId } = conversation
  const customer: VariableContext = {
    ...{ name: contact.name, email: contact.email, phoneNumber: contact.number, businessName: contact.businessName },
    ...{ kanban: contact.kanban, extra: contact.extraInfo, protocol, timeZone: directory.timezone, vars: session.vars },
  }
  const now: Line[] = []
  for (const row of heard)
    now.push({ from: 'customer', text: said(row), parts: await partsOf(tenantId, row, config.reads) })
  // What is asked next is often about what was sent before.
  const recent = new Set(history.filter(({ fromMe, mediaId }) => !fromMe && mediaId).slice(-mostRecent))
  const before: Line[] = []
  for (const row of history)
    before.push({
      ...{ from: row.fromMe ? 'us' : 'customer', text: said(row) },
      ...(recent.has(row) && { parts: await partsOf(tenantId, row, config.reads) }),
    })
  return {
    ...{ tenantId, assistantId: card.id, ticketId, config, directory, customer },
    history: before,
    heard: now,
    turns: session.turns,
    pending: session.pending,
    heardSeq: heard.at(-1)?.seq ?? 0,
    search: (question) =>
      searchKnowledge({
        ...{ tenantId, baseIds: config.knowledgeIds, question, ticketId, key },
        assistant: { id: card.id, budgetCents: config.budgetCents },
        read: (...asked) => atDatabase(() => readTenant(...asked)),
      }),
    tools: {
      calendar: calendarOf(tenantId, begun, customer),
      contact: async () => describeContact(contact),
      ask: (url, body) => askSystem(url, { ...body, contato: contactOf(contact), atendimento: protocol }),
    },
    deadlineMs: (thinkingS - 20) * 1_000,
    key,
    now: new Date(),
  }
}

/** Calendars of the company, as flows book in them. */
const calendarOf = (
  tenantId: number,
  { directory, conversation: { id, queueId, contact, protocol } }: Begun,
  customer: VariableContext,
): CalendarWorld => ({
  isOpen: (moment) => isOpen(directory, queueId, moment),
  free: async ({ calendarId, ...asked }) => {
    const now = new Date()
    const busy = await flowHooks().calendar.busy(tenantId, calendarId, now, lookUntil({ ...asked, now }))
    const { timezone } = directory
    return freeTimes({ ...asked, now, timezone, busy, isOpen: (moment) => isOpen(directory, queueId, moment) })
  },
  book: ({ calendarId, at, minutes, title }) =>
    flowHooks().calendar.book(tenantId, calendarId, {
      key: v5(`${calendarId}:${at.toISOString()}`, id),
      ...{
        from: at,
        to: new Date(at.getTime() + minutes * 60_000),
        title: cutText(fillVariables(title, customer), 300),
      },
      description: [`Protocolo ${protocol}`, contact.number && `Telefone ${contact.number}`].filter(Boolean).join('\n'),
    }),
})

const fileWords: Record<string, string> = {
  image: 'uma imagem',
  video: 'um vídeo',
  audio: 'um áudio',
  voice: 'um áudio',
  document: 'um documento',
  sticker: 'uma figurinha',
  location: 'uma localização',
  contact: 'um contato',
}
const said = ({ body, type, fileName }: TalkRow) =>
  body || `[enviou ${fileWords[type] ?? 'um arquivo'}${fileName ? `: ${fileName}` : ''}]`

const mostRecent = 2
/** Pictures and documents a model may look at, documents with their text; the others are told of in words. */
const partsOf = async (
  tenantId: number,
  { mediaId, mime, size, fileName }: TalkRow,
  reads: { images: boolean; documents: boolean },
): Promise<TalkPart[]> => {
  const isImage = reads.images && /^image\/(jpeg|png|webp|gif)$/.test(mime ?? '')
  const isDocument = reads.documents && isReadable(mime ?? '', fileName ?? '')
  if (!mediaId || !mime || (size ?? 0) > mostBytes || !(isImage || isDocument)) return []
  const { bytes } = await readFileBytes(tenantId, mediaId)
  if (isImage) return [{ type: 'image', image: bytes, mediaType: mime }]
  const text = await readAttachment({ tenantId, mediaId, bytes, mime, name: fileName ?? '' })
  return [{ type: 'file', data: bytes, mediaType: mime, filename: fileName ?? undefined, text }]
}

type Contact = Conversation['contact']
const contactOf = ({ name, number, email }: Contact) => ({ nome: name, numero: number, email })
export const describeContact = ({ name, number, email, businessName, extraInfo }: Contact) =>
  [
    `Nome: ${name}`,
    number && `Telefone: ${number}`,
    email && `E-mail: ${email}`,
    businessName && `Empresa: ${businessName}`,
    ...extraInfo.filter(({ value }) => value).map((one) => `${one.name}: ${one.value}`),
  ]
    .filter(Boolean)
    .join('\n')

/** What a system of the company says, cut to what a model can use. */
const askSystem = async (url: string, body: object): Promise<string> => {
  const answer = await http(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: 15_000,
    maxBytes: 200_000,
  })
  if (answer.status >= 300) throw new Error(`O sistema respondeu ${answer.status}.`)
  return cutText(answer.bytes.toString().replaceAll('\0', ''), 6_000)
}
