import { z } from 'zod'
import type { Capability } from '../channels/abilities.ts'
import { channelKinds } from '../channels/index.ts'
import { sentTemplate, templateUse } from '../channels/templates.ts'
import { email, id, moment, namedRef, pageOf, queryFlag, queryList } from '../common.ts'
import { media } from '../core/media.ts'
import { formAnswers, order } from './answers.ts'
import { author } from './authors.ts'
import {
  choiceKinds,
  isRequest,
  longestChoice,
  mostChoices,
  repeatedChoice,
  requestKinds,
  requestProblems,
  tooManyChoices,
} from './interactive.ts'
import { chosenWay } from './ways.ts'

export const messageTypes = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  'location',
  'contact',
  'reaction',
  'template',
  'buttons',
  'poll',
  'system',
  'note',
  'unsupported',
] as const
export type MessageType = (typeof messageTypes)[number]

/**
 * Ours: queued → sending → sent → delivered → read → played, or failed, or uncertain (the provider may have accepted it).
 * Theirs: received.
 */
export const messageStatuses = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'played',
  'failed',
  'uncertain',
  'received',
] as const
export type MessageStatus = (typeof messageStatuses)[number]
/** States only move to a higher rank; `failed` and `uncertain` come only before `delivered`. */
export const statusRank: Record<MessageStatus, number> = {
  queued: 0,
  sending: 1,
  uncertain: 2,
  failed: 3,
  sent: 4,
  delivered: 5,
  read: 6,
  played: 7,
  received: 9,
}

export const location = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().max(200).optional(),
  address: z.string().max(500).optional(),
})
export const vcard = z.object({
  name: z.string().trim().min(1).max(120),
  phones: z.array(z.string().max(40)).max(10).default([]),
  emails: z.array(z.string().max(254)).max(10).default([]),
  organization: z.string().max(120).optional(),
})

/** How a message of ours came to be. */
export const sendTypes = ['chat', 'schedule', 'farewell', 'rating', 'bot', 'campaign', 'external', 'sync'] as const
export type SendType = (typeof sendTypes)[number]

/** The longest title of a poll's option any channel carries; of a button or a row of a list it is shorter. */
const longestOption = 100
const catalogId = z.string().regex(/^\d{1,40}$/, 'Catálogo inválido.')
/**
 * A channel without choices sends `body` with them numbered; one without links, the address below it. Forms, catalogues
 * and addresses only exist on a channel that has them.
 */
export const interactive = z.object({
  kind: z.enum([...choiceKinds, ...requestKinds]),
  header: z.string().trim().max(60).default(''),
  footer: z.string().trim().max(60).default(''),
  /** What stands on the one button: of a list, a link, a form. */
  button: z.string().trim().max(20).default(''),
  options: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        title: z.string().trim().min(1, 'Informe o texto.').max(longestOption),
        description: z.string().trim().max(72).default(''),
      }),
    )
    .max(12)
    .default([]),
  /** Of a poll: how many options one may choose; 0: as many as one likes. */
  selectable: z.int().min(0).max(12).optional(),
  /** Of a link. */
  url: z
    .url({ protocol: /^https?$/, error: 'Escreva o endereço inteiro, com https://.' })
    .max(2_000)
    .optional(),
  /** Which form; without a screen it opens with its own first one. */
  form: z
    .object({ id: z.string().min(1).max(40), name: z.string().max(200), screen: z.string().trim().max(80).default('') })
    .optional(),
  /** Which products; of the whole catalogue, the one on its cover, if any. */
  catalog: z
    .object({
      id: catalogId,
      sections: z
        .array(
          z.object({
            title: z.string().trim().max(24).default(''),
            products: z.array(z.object({ id: z.string().min(1).max(100), name: z.string().max(200) })).min(1),
          }),
        )
        .max(10)
        .default([]),
    })
    .optional(),
  /** Of an address: Meta has a form for these countries alone. */
  country: z.enum(['IN', 'SG']).optional(),
})
export type Interactive = z.output<typeof interactive>

/** An event somebody invites to by e-mail: a moment, the clock of a wall (`2026-11-25T10:00`) or a whole day (`2026-11-25`). */
export const invitation = z.object({
  title: z.string(),
  place: z.string(),
  starts: z.string(),
  ends: z.string().nullable(),
  isCancelled: z.boolean(),
})
export type Invitation = z.output<typeof invitation>

/** Above the text of an e-mail, within what its connection takes (`mailLimits`). */
const mailHead = z.object({
  subject: z.string().trim().max(998).default(''),
  /** Whoever else reads it: of theirs, everybody it was sent to beside us. */
  cc: z.array(email).max(100).default([]),
  /** Of ours: who reads it without the others knowing. */
  bcc: z.array(email).max(100).default([]),
  /** The messages it answers, oldest first, by the ids their senders gave them. */
  references: z.array(z.string().max(998)).max(100).default([]),
})
/** What an e-mail has beside its text. */
export const mailContent = mailHead.extend({
  /** As it was written: whoever draws it cleans it first. */
  html: z.string().max(200_000).nullable().default(null),
})
export type MailContent = z.output<typeof mailContent>

/** A member of a group that a message calls: as its channel knows them, and by the name in the text. */
export const groupCalled = z.object({ id: z.string().max(120), name: z.string().trim().min(1).max(120) })

/** The advertisement, or the post, by which somebody came: as it told of itself then. */
export const referral = z.object({
  kind: z.enum(['ad', 'post']),
  title: z.string().max(300),
  body: z.string().max(1_000),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable(),
  sourceId: z.string().max(200).nullable(),
  /** By which the advertiser is told what came of it. */
  clickId: z.string().max(500).nullable(),
})

/** What only some types have: a template (its header's file is the message's `media`), buttons, a note that calls. */
export const messagePayload = z.object({
  interactive: interactive.optional(),
  template: sentTemplate.optional(),
  /** Which button of ours the customer pressed, by its id. */
  choice: z.string().optional(),
  form: formAnswers.optional(),
  order: order.optional(),
  /** A call that nobody answered. */
  call: z.object({ isVideo: z.boolean() }).optional(),
  /** The customer answers a story of ours, or mentions us in one of theirs. The address opens it while it lives. */
  story: z.object({ kind: z.enum(['reply', 'mention']), url: z.url().nullable() }).optional(),
  referral: referral.optional(),
  /** Asked about a product of the catalogue. */
  product: z.object({ catalogId: z.string().max(200), id: z.string().max(200) }).optional(),
  /** Said in public, on something we published. */
  comment: z.object({ url: z.url().nullable() }).optional(),
  /** Of a note: whom it calls, by the names they had then. */
  mentions: z.array(namedRef.extend({ kind: z.enum(['user', 'queue']) })).optional(),
  /** Whom a message of a group calls: by `@name` in its text, ours by the ids of the channel. */
  called: z.array(groupCalled.extend({ isUs: z.boolean().optional() })).optional(),
  /** Of a group that waits until it is meant for us: whether it is. */
  isForUs: z.boolean().optional(),
  /** `isFormatted`: GET /media/mails/{id} shows it as it was written. */
  mail: mailHead
    .extend({
      isFormatted: z.boolean().default(false),
      invitation: invitation.optional(),
      /** It lay in the spam folder: its sender may be forged. */
      wasJunk: z.boolean().optional(),
      /** The server that received it could not confirm its sender. */
      isUnproven: z.boolean().optional(),
      /** A machine wrote it, while its owner was away for instance. */
      isAutomatic: z.boolean().optional(),
    })
    .optional(),
  /** Below the text of an e-mail of ours, as it left. */
  signature: z.string().optional(),
  /** Where whoever gets it asks for no more of it, at once and without a word. */
  unsubscribe: z.url().optional(),
  /** Pictures and films that belong together: those of one id are shown as one group. */
  album: z.object({ id: z.string().max(120) }).optional(),
  /** Of an audio: its words are the message's own, or why they are not there. */
  transcript: z.object({ state: z.enum(['waiting', 'done', 'failed']), error: z.string().optional() }).optional(),
  /** A picture that stands inside the formatted e-mail it came with, by the id it has there. */
  drawn: z.object({ cid: z.string().max(300) }).optional(),
})
export type MessagePayload = z.output<typeof messagePayload>

/** What a poll has come to. */
export const pollVotes = z.object({
  /** How many have voted. */
  people: z.int(),
  /** For what, by the place of the option; of who voted, the first fifty. */
  options: z.array(
    z.object({
      option: z.int(),
      count: z.int(),
      /** Us, on our own phone; a member of a group by name; else the contact of the conversation. */
      who: z.array(z.object({ fromMe: z.boolean(), name: z.string().nullable() })),
    }),
  ),
})
export type PollVotes = z.output<typeof pollVotes>

export const message = z.object({
  id,
  /** Order inside the conversation and cursor of its pages. */
  seq: z.int(),
  ticketId: id,
  contactId: id,
  fromMe: z.boolean(),
  type: z.enum(messageTypes),
  body: z.string(),
  media: media.nullable(),
  /** The file is still being fetched from the provider, or could not be. */
  mediaState: z.enum(['none', 'fetching', 'ready', 'failed']),
  location: location.nullable(),
  contacts: z.array(vcard),
  payload: messagePayload.nullable(),
  sendType: z.enum(sendTypes),
  isForwarded: z.boolean(),
  quoted: z
    .object({
      id,
      body: z.string(),
      type: z.enum(messageTypes),
      fromMe: z.boolean(),
      /** Whose words they are, where the conversation does not say. */
      authorName: z.string().nullish(),
    })
    .nullable(),
  reactions: z.array(
    z.object({
      emoji: z.string(),
      fromMe: z.boolean(),
      userId: id.nullable(),
      author: author.nullable().default(null),
    }),
  ),
  /** Of a poll. */
  votes: pollVotes.nullable().default(null),
  status: z.enum(messageStatuses),
  /** Why it failed and what to do, in Portuguese. */
  error: z.string().nullable(),
  isDeleted: z.boolean(),
  editedAt: moment.nullable(),
  user: namedRef.nullable(),
  /**
   * Who wrote it, where it is neither somebody of the team (`user`) nor the conversation's contact: a member of a group, an
   * assistant, what the company set up to be said by itself.
   */
  author: author.nullable(),
  /** When the person wrote it, by the provider's clock. */
  timestamp: moment,
  createdAt: moment,
  version: z.int(),
})
export type Message = z.output<typeof message>

/** No channel takes more; what each takes, its connection's abilities say. */
const longestBody = 20_000
/** How many messages go as one group. */
export const mostInAlbum = 10
/** Whether a channel sends messages of this type together with others: pictures and films, or a mail with all it says. */
export const mayGoTogether = (supports: readonly Capability[], type: MessageType): boolean =>
  ((type === 'image' || type === 'video') && (supports.includes('album') || supports.includes('attachments'))) ||
  ((type === 'text' || type === 'audio' || type === 'document') && supports.includes('attachments'))
/** A note goes through no channel. */
export const longestNote = 4_096
export const tooLong = (most: number) => `Use no máximo ${most.toLocaleString('pt-BR')} caracteres.`

const sendFields = z.strictObject({
  id,
  type: z
    .enum([
      'text',
      'image',
      'audio',
      'video',
      'document',
      'sticker',
      'location',
      'contact',
      'template',
      'buttons',
      'poll',
      'note',
    ])
    .default('text'),
  body: z.string().max(longestBody).default(''),
  mediaId: id.nullable().default(null),
  quotedId: id.nullable().default(null),
  location: location.nullable().default(null),
  contact: vcard.nullable().default(null),
  template: templateUse.nullable().default(null),
  interactive: interactive.nullable().default(null),
  /** Subject and copies, where the channel has them. What it answers is known by what it quotes. */
  mail: mailContent.omit({ references: true }).optional(),
  /** Which of the same id go together, and how many they are. Ignored where a channel sends this type alone. */
  album: z
    .object({ id, of: z.int().min(2).max(mostInAlbum) })
    .meta({ 'x-not-in-example': true })
    .optional(),
  /** Of a note: the colleagues and queues it calls. */
  mentions: z.array(id).max(50).default([]),
  /** To a group: the members it calls. */
  called: z.array(groupCalled).max(1_024).optional(),
  /** Write the agent's name above the text; `preferred`: where they have it so. */
  sign: z.union([z.boolean(), z.literal('preferred')]).default(false),
  /** The quick message it was taken from: one use of it is counted. */
  quickMessageId: id.optional(),
  /** Left out, as the conversation goes now; another connection takes the conversation along. */
  way: chosenWay.optional(),
  /** The last message the person had seen when they began to write; a newer one makes the server ask first. */
  seenSeq: z.int().nullable().default(null),
  /** Send although something newer arrived: the person was asked. */
  force: z.boolean().default(false),
})
const checkSend = (input: Omit<z.output<typeof sendFields>, 'id'>, context: z.core.$RefinementCtx) => {
  const complain = (path: string, text: string) =>
    context.addIssue({ code: 'custom', path: path.split('.'), message: text })
  if ((input.type === 'text' || input.type === 'note') && !input.body.trim()) complain('body', 'Escreva a mensagem.')
  if (input.type === 'note' && input.body.length > longestNote) complain('body', tooLong(longestNote))
  if (['image', 'audio', 'video', 'document', 'sticker'].includes(input.type) && !input.mediaId)
    complain('mediaId', 'Escolha um arquivo.')
  if (input.type === 'location' && !input.location) complain('location', 'Escolha o local.')
  if (input.type === 'contact' && !input.contact) complain('contact', 'Escolha o contato.')
  if (input.type === 'template' && !input.template) complain('template', 'Escolha o modelo.')
  const isPoll = input.type === 'poll'
  if ((input.type === 'buttons' || isPoll) && !input.interactive) complain('interactive', 'Escreva as opções.')
  if (input.type === 'buttons' && !input.body.trim()) complain('body', 'Escreva a mensagem.')
  if (isPoll && !input.body.trim()) complain('body', 'Escreva a pergunta.')
  if (input.interactive && isPoll !== (input.interactive.kind === 'poll'))
    complain('interactive', 'Só uma enquete leva opções de enquete.')
  if (input.interactive) checkInteractive(input.interactive, input.body, complain)
  if (input.mail && ['note', 'template', 'buttons', 'poll'].includes(input.type))
    complain('mail', 'Este tipo de mensagem não tem assunto nem cópias.')
  if (input.album && !mayGoTogether(['attachments'], input.type))
    complain('album', 'Só textos e arquivos vão em grupo.')
  if (input.called?.length && input.type === 'note') complain('called', 'Notas internas não vão para o grupo.')
  if (input.way && input.type === 'note') complain('way', 'Notas internas não vão por um canal.')
  if (input.mentions.length && input.type !== 'note') complain('mentions', 'Só notas internas mencionam colegas.')
}

const checkInteractive = (asked: Interactive, body: string, complain: (path: string, text: string) => void) => {
  if (isRequest(asked)) {
    for (const { path, message } of requestProblems(asked, body)) complain(path, message)
    return
  }
  const { kind, options } = asked
  const isPoll = kind === 'poll'
  if (!options.length) complain('interactive.options', 'Escreva pelo menos uma opção.')
  if (isPoll && options.length === 1) complain('interactive', 'Escreva pelo menos duas opções.')
  if (!isPoll && options.length > mostChoices) complain('interactive.options', tooManyChoices)
  if (!isPoll && options.some(({ title }) => title.length > longestChoice))
    complain('interactive.options', tooLong(longestChoice))
  const repeated = repeatedChoice(options)
  if (repeated) complain('interactive', repeated)
}

/** What a person sends. `id` is the client's own UUIDv7: the same id twice is one message. */
export const messageSend = sendFields.superRefine(checkSend)
/** POST /messages/{ticketId}: who calls from outside may leave the id out. */
export const messageCall = sendFields.partial({ id: true }).superRefine(checkSend)
export type MessageSend = z.output<typeof messageSend>
/** POST /sendButton: the same for buttons, with the conversation named in the body. */
export const buttonSend = messageSend.safeExtend({ ticketId: id, type: z.literal('buttons').default('buttons') }).meta({
  examples: [
    {
      id: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b',
      ticketId: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5c',
      body: 'Seu pedido chegou bem?',
      interactive: {
        kind: 'buttons',
        options: [
          { id: 'sim', title: 'Sim' },
          { id: 'nao', title: 'Não' },
        ],
      },
    },
  ],
})

export const messagesQuery = z.object({
  pageNumber: z.coerce.number().int().min(1).max(100_000).default(1),
  /** Older than this `seq`. */
  before: z.coerce.number().int().optional(),
  /** Newer than this `seq`: what a client missed. */
  after: z.coerce.number().int().optional(),
  /** The page in whose middle this message stands, by its `seq` or its id. */
  around: z.union([id, z.coerce.number().int()], 'Mensagem inválida.').optional(),
  limit: z.coerce.number().int().min(1).max(100).default(40),
})
/** A message as the calls answer it: by the names outside callers know, beside ours. */
export const messageEntity = message.extend({
  ticket: z.object({ id }),
  mediaName: z.string().nullable(),
  /** When it was due, of one that was scheduled. */
  scheduleDate: moment.nullable(),
})
export type MessageEntity = z.output<typeof messageEntity>

/** A page of a conversation, oldest first; `nextCursor` is the `before` of the page above, with `after` that of the page below. */
export const messagePage = pageOf(messageEntity).extend({
  /** With `around`: there is more below. */
  hasNewer: z.boolean().optional(),
})
/** What a 409 of a send carries when the conversation went on meanwhile. */
export const newerMessages = z.object({ newer: z.array(message) })
/** A message as a search or a list of stars tells of it: enough to be recognised and gone to. */
export const foundMessage = message
  .pick({
    id: true,
    seq: true,
    ticketId: true,
    contactId: true,
    fromMe: true,
    type: true,
    body: true,
    user: true,
    author: true,
    createdAt: true,
  })
  .extend({
    contactName: z.string(),
    protocol: z.string(),
    channel: z.enum(channelKinds),
    /** The words around what was searched for; `hit` is empty when nothing was. */
    snippet: z.object({ before: z.string(), hit: z.string(), after: z.string() }),
  })
export type FoundMessage = z.output<typeof foundMessage>
/** GET /searchMessage: a page may be short, or empty, and yet not the last: `nextCursor` says where to go on. */
const messageSearch = z.object({
  /** May stay empty where a member of the conversation is named. */
  searchParam: z.string().trim().max(200).default(''),
  ticketId: id.optional(),
  /** What this contact said in the group of `ticketId`. */
  authorId: id.optional(),
  contactId: id.optional(),
  fromMe: queryFlag.optional(),
  type: queryList(z.enum(messageTypes)),
  /** Written in these days, in the company's time zone. */
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
})
export const messageSearchQuery = messageSearch.superRefine(({ searchParam, ticketId, authorId }, context) => {
  if (searchParam.length < 2 && !(ticketId && authorId))
    context.addIssue({ code: 'custom', path: ['searchParam'], message: 'Digite pelo menos 2 letras.' })
})
/** Who has spoken in the group of a conversation. */
export const groupSpeakers = z.object({ items: z.array(namedRef) })
export const messageEdit = z.strictObject({
  body: z.string().trim().min(1, 'Escreva a mensagem.').max(longestBody),
})
export const messageDelete = z.object({ id })
export const reactionBody = z.strictObject({ messageId: id, emoji: z.string().max(16) })

/** What is begun for the customer and what is begun for the team never meet. */
export const draftKinds = ['message', 'note'] as const
export type DraftKind = (typeof draftKinds)[number]
export const draft = z.object({
  ticketId: id,
  kind: z.enum(draftKinds),
  body: z.string().max(longestBody),
  updatedAt: moment,
})
export const draftQuery = z.object({ kind: z.enum(draftKinds).default('message') })
