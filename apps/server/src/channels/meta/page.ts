import { type ChannelKind, idWithin, scopedId } from '@balcao/contract/channels/index.ts'
import { pageReactions } from '@balcao/contract/channels/meta.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { withoutMarks } from '@balcao/contract/conversations/user-text.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { type ChannelAdapter, type ChannelContext, ChannelError, type Outbound } from '../adapter.ts'
import { fileAt } from '../file-at.ts'
import { unclear } from '../http-errors.ts'
import { appHandshake, isSignedByApp } from './app.ts'
import { commentIn } from './comments.ts'
import { refusal } from './errors.ts'
import { createGraph } from './graph.ts'
import { parse } from './parse.ts'
import { split } from './split.ts'

export type PageKind = Extract<ChannelKind, 'instagram' | 'messenger'>
/** Whatever a page or an Instagram account does alike (reference sheet instagram-messenger.md). There is no `find`. */
type Context = ChannelContext<'instagram'> | ChannelContext<'messenger'>
type Config = Context['config']

/** As whom Meta knows the account in what it tells us, and at which address it is called: often a page stands for it. */
export const accountIn = (config: Config): string => ('instagramId' in config ? config.instagramId : config.pageId)
const isByItself = (config: Config) => 'instagramId' in config && config.login === 'instagram'
const nodeIn = (config: Config): string => (isByItself(config) ? accountIn(config) : (config.pageId ?? ''))
const kindIn = (config: Config): PageKind => ('instagramId' in config ? 'instagram' : 'messenger')

const { graph: call } = createGraph(refusal)
/** The login of Instagram has a host of its own. */
const reached = (
  context: Context,
): Pick<Context, 'http'> & { config: Pick<Config, 'accessToken' | 'apiVersion' | 'baseUrl'> } => {
  const { config, http } = context
  const isElsewhere = isByItself(config) && config.baseUrl === facebook
  return { http, config: { ...config, ...(isElsewhere && { baseUrl: 'https://graph.instagram.com' }) } }
}
const facebook = 'https://graph.facebook.com'

export const ask = async (context: Context, path: string): Promise<unknown> =>
  (await call(reached(context), path, {}, true)).json()

const post = async (context: Context, path: string, body: object, isHarmless = false): Promise<unknown> => {
  const request = {
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: 60_000,
  }
  return (await call(reached(context), path, request, isHarmless)).json()
}

const recipientOf = (to: Identity[], { config }: Context) => {
  const id = idWithin(to, kindIn(config), accountIn(config))
  if (!id) throw new ChannelError('final', 'Este contato ainda não escreveu para esta conta.', { isUnreachable: true })
  return { recipient: { id } }
}
const act = (to: Identity[], action: object, context: Context) =>
  post(context, `${nodeIn(context.config)}/messages`, { ...recipientOf(to, context), ...action }, true)

const accepted = z.object({ message_id: z.string().min(1), recipient_id: loose(z.string().min(1)) })
const card = z.object({
  name: loose(z.string()),
  first_name: loose(z.string()),
  username: loose(z.string()),
  profile_pic: loose(z.url()),
})

export const pageMessaging = {
  hook: { verify: isSignedByApp, handshake: appHandshake },
  split,
  parse,
  send: async (message: Outbound, context: Context) => {
    const known = recipientOf(message.to, context)
    // What answers a comment goes to its author alone, and opens the conversation with them.
    const comment_id = commentIn(message.lastHeard)
    const whom = comment_id ? { recipient: { comment_id } } : known
    const how = message.isLate ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' } : { messaging_type: 'RESPONSE' }
    const body = { ...whom, ...how, message: messageOf(message) }
    const { data } = accepted.safeParse(await post(context, `${nodeIn(context.config)}/messages`, body))
    if (!data) throw unclear('A Meta respondeu de um jeito inesperado.')
    const identities: Identity[] =
      comment_id && data.recipient_id
        ? [{ kind: kindIn(context.config), value: scopedId(accountIn(context.config), data.recipient_id) }]
        : []
    return { providerId: data.message_id, identities }
  },
  react: async ({ providerId: message_id, to, emoji }, context: Context) => {
    if (emoji && !pageReactions.includes(emoji))
      throw new ChannelError('final', `Neste canal, a reação é ${pageReactions.join(' ou ')}.`)
    const payload = { message_id, ...(emoji && { reaction: 'love' }) }
    await act(to, { sender_action: emoji ? 'react' : 'unreact', payload }, context)
  },
  markRead: async ({ to }, context: Context) => {
    await act(to, { sender_action: 'mark_seen' }, context)
  },
  typing: async ({ to }, context: Context) => {
    await act(to, { sender_action: 'typing_on' }, context)
  },
  fetchMedia: async (source: Record<string, unknown>, { egress }: Context) => {
    const { url } = z.object({ url: z.url({ protocol: /^https?$/ }) }).safeParse(source).data ?? {}
    if (!url) throw gone()
    return fileAt(url, egress, gone)
  },
  profile: async ({ to }, context: Context) => {
    const { recipient } = recipientOf(to, context)
    const fields = kindIn(context.config) === 'instagram' ? 'name,username,profile_pic' : 'name,first_name,profile_pic'
    const told = card.safeParse(await ask(context, `${encodeURIComponent(recipient.id)}?fields=${fields}`)).data
    return { name: told?.name ?? told?.username ?? told?.first_name, pictureUrl: told?.profile_pic }
  },
  check: async (context: Context) => {
    const told = subscribed.safeParse(await ask(context, `${nodeIn(context.config)}/subscribed_apps`)).data
    const isSilent = told?.data.length === 0
    return {
      problem: isSilent ? 'A Meta deixou de enviar as mensagens desta conta. Toque em Testar para voltar.' : null,
    }
  },
} satisfies Partial<ChannelAdapter<PageKind>>

const gone = () => new ChannelError('final', 'A Meta não tem mais este arquivo. Peça ao cliente para enviá-lo de novo.')
const subscribed = z.object({ data: z.array(z.unknown()) })

/**
 * Asks for everything that happens to the account; asked again, it changes nothing. All at once, whichever channel asks:
 * an Instagram account and its page have one subscription.
 */
export const subscribe = async (context: Context) => {
  const { config } = context
  const { own, comments } = isByItself(config) ? accountFields : pageFields
  const asked = [...own, ...(config.comments ? [comments] : [])]
  await post(context, `${nodeIn(context.config)}/subscribed_apps?subscribed_fields=${asked.join()}`, {}, true)
}
const pageFields = {
  own: [
    'messages',
    'messaging_postbacks',
    'message_reactions',
    'message_reads',
    'message_deliveries',
    'message_echoes',
    'message_edits',
    'messaging_referrals',
    'messaging_handovers',
  ],
  comments: 'feed',
}
/** An account that stands for itself has names of its own for them, echoes among its messages, and no deliveries. */
const accountFields = {
  own: [
    'messages',
    'messaging_postbacks',
    'message_reactions',
    'messaging_seen',
    'message_edit',
    'messaging_referral',
    'messaging_handover',
  ],
  comments: 'comments',
}

const attached = { image: 'image', video: 'video', audio: 'audio', document: 'file' } as const
/** As `POST /{page}/messages` takes it. Phones show signs of formatting as they were typed, so they stay here. */
const messageOf = (message: Outbound): object => {
  const { type, body } = message
  if (type === 'text') return { text: withoutMarks(body) }
  if (type === 'interactive') return choicesOf(message)
  const kind = Object.entries(attached).find(([name]) => name === type)?.[1]
  if (!kind) throw new ChannelError('final', 'Este canal não leva este tipo de mensagem.')
  return { attachment: { type: kind, payload: { url: addressOf(message) } } }
}

/** Meta fetches files by itself. */
const addressOf = ({ media }: Outbound): string => {
  if (!media) throw new ChannelError('final', 'O arquivo desta mensagem não existe mais.')
  const address = media.url?.()
  if (address) return address
  throw new ChannelError('final', 'Este canal só leva arquivos quando a instalação tem um endereço público com HTTPS.')
}

/** Buttons stay in the conversation, but are three at most; quick replies are gone with the next message. */
const mostButtons = 3
const choicesOf = ({ interactive, body }: Outbound): object => {
  if (!interactive) throw new ChannelError('final', 'Esta mensagem não tem opções.')
  const { header, footer, options } = interactive
  const text = withoutMarks([header, body, footer].filter(Boolean).join('\n\n'))
  if (options.length > mostButtons) {
    const quick_replies = options.map(({ id, title }) => ({ content_type: 'text', title, payload: id }))
    return { text, quick_replies }
  }
  const buttons = options.map(({ id, title }) => ({ type: 'postback', title, payload: id }))
  return { attachment: { type: 'template', payload: { template_type: 'button', text, buttons } } }
}
