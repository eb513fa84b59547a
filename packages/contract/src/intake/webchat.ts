import { z } from 'zod'
import {
  type PreChatTarget,
  preChatTargets,
  preChatTypes,
  uploadKinds,
  webchatLanguages,
  webchatLook,
  type windowLook,
} from '../channels/webchat-look.ts'
import { email, id, moment } from '../common.ts'

/** The public API of the web chat window (reference sheet webchat.md §3). */
export const webchatMessage = z.object({
  id,
  seq: z.int(),
  clientId: z.string().nullable(),
  from: z.enum(['visitor', 'agent', 'bot']),
  agentName: z.string().nullable(),
  type: z.enum(['text', 'image', 'audio', 'video', 'document', 'location', 'contact', 'system']),
  text: z.string(),
  media: z
    .object({
      url: z.string(),
      name: z.string(),
      mime: z.string(),
      size: z.int(),
      width: z.int().nullable(),
      height: z.int().nullable(),
    })
    .nullable(),
  /** The buttons are the grades of a question for one. */
  isRating: z.boolean(),
  buttons: z.array(z.object({ id: z.string(), title: z.string(), description: z.string() })),
  replyTo: z.object({ id, text: z.string() }).nullable(),
  status: z.enum(['sent', 'delivered', 'read']),
  isDeleted: z.boolean(),
  editedAt: moment.nullable(),
  createdAt: moment,
})
export type WebchatMessage = z.output<typeof webchatMessage>

const siteAddress = z
  .url({ protocol: /^https?$/, error: 'Informe o endereço inteiro, como https://www.loja.com.br.' })
  .max(2_000)

/** POST /whatsapp/{id}/site-check: what keeps a web chat from showing on a page of the company's site. */
export const siteCheckBody = z.object({ address: siteAddress })
export const siteCheck = z.object({
  /** Where the address led to. */
  url: z.string(),
  /** `otherChat`: of the same company; `otherCompany`: of nobody in it. */
  snippet: z.enum(['found', 'missing', 'otherChat', 'otherCompany', 'unreachable']),
  /** Null: no answer at all. */
  status: z.int().nullable(),
  isAllowed: z.boolean(),
  /** What its security policy does not let in. */
  refused: z.array(z.enum(['script-src', 'frame-src'])),
})
export type SiteCheck = z.output<typeof siteCheck>

/** POST /whatsapp/{id}/preview-link: a page of the site with a look that is not saved. */
export const previewLinkBody = z.object({ address: siteAddress, look: webchatLook })
export const previewLink = z.object({ url: z.string() })

const page = z.object({
  url: z.string().max(2_000),
  title: z.string().max(300),
  /** The site from which the visitor came to this one. */
  referrer: z.string().max(2_000).optional(),
})
/** GET /tickets/{id}/visitor: where the visitor of a web chat is, whence they came, and on what. */
export const webchatVisitor = z.object({
  page: z.object({ url: z.string(), title: z.string() }).nullable(),
  referrer: z.string().nullable(),
  device: z.string().nullable(),
})
export type WebchatVisitor = z.output<typeof webchatVisitor>
export const webchatSessionBody = z.object({
  channelKey: z.string().min(6).max(80),
  resumeToken: z.string().max(500).nullish(),
  origin: z.string().max(300),
  page: page.optional(),
  locale: z.string().max(20).optional(),
  /** A look that is not saved, as its link carries it. */
  draft: z.string().max(6_000).nullish(),
  identity: z
    .object({
      /** Left out where a JWT says it. */
      id: z.string().max(200).default(''),
      name: z.string().max(120).optional(),
      email: z.string().max(254).optional(),
      phone: z.string().max(40).optional(),
      hmac: z.string().max(200).optional(),
      /** Signed by the site: says who it is by itself. */
      jwt: z.string().max(4_000).optional(),
    })
    .nullish(),
})
/** What a window is drawn from, in the language its visitor reads. */
export const webchatWindow = z.object({
  language: z.enum(webchatLanguages),
  name: z.string(),
  subtitle: z.string(),
  color: z.string(),
  welcome: z.string(),
  position: z.enum(['right', 'left']),
  logoUrl: z.string().nullable(),
  preChat: z.object({
    enabled: z.boolean(),
    fields: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        type: z.enum(preChatTypes),
        target: z.enum(preChatTargets),
        required: z.boolean(),
        options: z.array(z.string()),
      }),
    ),
  }),
  isOnline: z.boolean(),
  offlineText: z.string(),
  uploads: z.object({ enabled: z.boolean(), maxBytes: z.int(), kinds: z.array(z.enum(uploadKinds)) }),
  hasHelp: z.boolean(),
  hasTranscript: z.boolean(),
})
export type WebchatWindow = z.output<typeof webchatWindow>

/** The look as a window has it, whoever draws it: a visitor's browser or the editor. */
export const drawnWindow = (
  { fields, ...look }: ReturnType<typeof windowLook>,
  { isOnline, visitor }: { isOnline: boolean; visitor: ToldVisitor | null },
): WebchatWindow => {
  const asked = fields.filter((field) => !isToldBy(visitor, field))
  return { ...look, isOnline, preChat: { enabled: asked.length > 0, fields: asked } }
}
/** Who the site says its visitor is, as far as the server believes it. */
type ToldVisitor = { isVerified: boolean; profile: { [target in PreChatTarget]?: string | undefined } }
/** Of a visitor the site signed for nothing is asked, of any other what the page has not said already. */
export const isToldBy = (visitor: ToldVisitor | null, { target }: { target: PreChatTarget }) =>
  visitor !== null && (visitor.isVerified || (target !== 'extra' && Boolean(visitor.profile[target]?.trim())))

export const webchatSession = z.object({
  visitorId: z.string(),
  accessToken: z.string(),
  resumeToken: z.string(),
  expiresInS: z.int(),
  config: webchatWindow,
  ticketId: id.nullable(),
})
export const webchatSend = z.object({
  clientId: z.uuid(),
  text: z.string().max(4_000).default(''),
  /** As the upload answered it: the file's id, signed for its visitor. */
  mediaId: z.string().max(200).nullish(),
  buttonId: z.string().max(200).nullish(),
  replyTo: id.nullish(),
  /** The proactive message this answers: stands before it from now on, under the window's own key. */
  offer: z.object({ id: z.string().max(40), key: z.uuid(), language: z.enum(webchatLanguages) }).nullish(),
})
export const webchatUpload = z.object({
  mediaId: z.string(),
  url: z.string(),
  name: z.string(),
  mime: z.string(),
  size: z.int(),
})
export const webchatEvent = z.object({
  type: z.enum(['typing.start', 'typing.stop', 'read', 'page', 'close']),
  upToSeq: z.int().optional(),
  page: page.optional(),
})
/** POST /webchat/transcript: a copy by e-mail. `challenge` null: it is on its way, the address was proven before. */
export const transcriptBody = z.object({ email, language: z.enum(webchatLanguages) })
export const transcriptAsked = z.object({ challenge: z.string().nullable() })
export const transcriptConfirm = transcriptBody.extend({
  challenge: z.string().max(200),
  code: z.string().max(20),
})
/** GET /webchat/help: the quick messages of everybody that the company shows to its visitors. */
export const helpArticle = z.object({ id, title: z.string(), text: z.string() })
export type HelpArticle = z.output<typeof helpArticle>
/** Answers by the key of their field; a ticked box is "true". */
export const webchatPreChat = z.object({ answers: z.record(z.string().max(60), z.string().max(1_000)) })
