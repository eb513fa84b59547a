import { createHash } from 'node:crypto'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import { type ChannelAdapter, ChannelError, type Outbound } from '../adapter.ts'
import { fileOf, unclear } from '../http-errors.ts'
import { appHandshake, isSignedByApp } from '../meta/app.ts'
import { interactiveOf } from '../meta/interactive.ts'
import { listTemplates, templateOf } from '../meta-templates.ts'
import { businessAccount } from './business.ts'
import { type Context, download, graph } from './graph.ts'
import { byAccount, byPhoneNumber, parse, split } from './parse.ts'
import { requests } from './requests.ts'
import { editTemplates } from './templates.ts'

/** WhatsApp Cloud API (reference sheet waba-meta.md). Meta cannot be asked for a message: there is no `find`. */
export const waba: ChannelAdapter<'waba'> = {
  hook: {
    verify: isSignedByApp,
    handshake: appHandshake,
    partsOfApp: (body) => ({ numbers: byPhoneNumber(body), accounts: byAccount(body) }),
  },
  split,
  parse,
  send: async (message, context) => {
    const to = addressed(message.to)
    const content = await contentOf(message, context)
    const quote = message.quotedProviderId ? { context: { message_id: message.quotedProviderId } } : {}
    const answer = await post(context, { ...to, ...content, ...quote, biz_opaque_callback_data: message.id })
    const { data } = accepted.safeParse(answer.json())
    const [sent] = data?.messages ?? []
    if (!sent) throw unclear('O WhatsApp respondeu de um jeito inesperado.')
    const [contact] = data?.contacts ?? []
    const identities: Identity[] = [
      ...(contact?.wa_id ? [{ kind: 'phone', value: contact.wa_id } as const] : []),
      ...(contact?.user_id ? [{ kind: 'bsuid', value: contact.user_id } as const] : []),
    ]
    return { providerId: sent.id, identities }
  },
  rejectCall: async ({ providerId }, context) => {
    await post(context, { call_id: providerId, action: 'reject' }, { isHarmless: true, to: 'calls' })
  },
  react: async ({ providerId, to, emoji }, context) => {
    await post(
      context,
      { ...addressed(to), type: 'reaction', reaction: { message_id: providerId, emoji } },
      { isHarmless: true },
    )
  },
  markRead: async ({ providerId }, context) => {
    await post(context, { status: 'read', message_id: providerId }, { isHarmless: true })
  },
  typing: async ({ lastInboundProviderId: last }, context) => {
    if (last)
      await post(
        context,
        { status: 'read', message_id: last, typing_indicator: { type: 'text' } },
        { isHarmless: true },
      )
  },
  fetchMedia: async (source, context) => {
    const gone = 'A Meta não tem mais este arquivo. Peça ao cliente para enviá-lo de novo.'
    const { data: named } = z.object({ id: z.string() }).safeParse(source)
    if (!named) throw new ChannelError('final', gone)
    const path = `${encodeURIComponent(named.id)}?phone_number_id=${context.config.phoneNumberId}`
    const answer = await graph(context, path, {}, true).catch(inOtherWords(gone))
    const card = mediaCard.safeParse(answer.json()).data
    if (!card) throw new ChannelError('retry', 'A Meta não entregou o arquivo agora.')
    const limits = { timeoutMs: 120_000, maxBytes: 110_000_000 }
    const { bytes } = await download(context, card.url, limits).catch(inOtherWords(gone))
    if (!isWhole(bytes, card.sha256)) throw new ChannelError('retry', 'O arquivo chegou incompleto.')
    return { bytes, mime: card.mime_type }
  },
  templates: (context) =>
    listTemplates(async (path) => (await graph(context, path, {}, true)).json(), context.config.wabaId),
  editTemplates,
  businessAccount,
  requests,
  block: async ({ to, isBlocked }, context) => {
    const user = to.find(({ kind }) => kind === 'phone')?.value
    if (!user) throw new ChannelError('final', 'O contato não tem um número de WhatsApp.')
    const method = isBlocked ? 'POST' : 'DELETE'
    await post(context, { block_users: [{ user }] }, { isHarmless: true, to: 'block_users', method })
  },
  accountOf: ({ phoneNumberId }) => ({ id: phoneNumberId, field: 'phoneNumberId' }),
  check: async (context) => {
    const fields = 'quality_rating,whatsapp_business_manager_messaging_limit,throughput'
    const answer = await graph(context, `${context.config.phoneNumberId}?fields=${fields}`, {}, true)
    const told = health.safeParse(answer.json()).data
    const tier = told?.whatsapp_business_manager_messaging_limit?.replace(/^TIER_/, '')
    const perSecond = throughputs[told?.throughput?.level ?? '']
    return { problem: null, quality: qualities[told?.quality_rating ?? ''], tier, perSecond }
  },
  connect: async (context) => {
    const { phoneNumberId, wabaId } = context.config
    const unknown = 'A Meta não reconhece o ID do número ou da conta. Confira os dados do canal.'
    const path = `${phoneNumberId}?fields=id,display_phone_number,verified_name,status`
    const answer = await graph(context, path, {}, true).catch(inOtherWords(unknown))
    const card = phoneCard.safeParse(answer.json()).data
    if (card?.id !== phoneNumberId) throw new ChannelError('final', unknown)
    await graph(context, `${wabaId}/subscribed_apps`, { method: 'POST' }, true).catch(inOtherWords(unknown))
    const { verified_name: name, display_phone_number: number, status } = card
    const known = `Conectado a ${name ?? 'WhatsApp'} (${number ?? phoneNumberId}).`
    const text = isUnregistered(status) ? `${known} Falta registrar o número: abra Perfil e número.` : known
    return { text, account: { name, number: number?.replace(/\D/g, '') } }
  },
}

const accepted = z.object({
  messages: z.array(z.object({ id: z.string().min(1) })).min(1),
  contacts: z
    .array(z.object({ wa_id: z.string().optional(), user_id: z.string().optional() }))
    .optional()
    .catch(undefined),
})
const mediaCard = z.object({ url: z.url(), mime_type: z.string().optional(), sha256: z.string().optional() })
const health = z.object({
  quality_rating: z.string().optional(),
  whatsapp_business_manager_messaging_limit: z.string().optional(),
  throughput: z.object({ level: z.string() }).optional().catch(undefined),
})
/** Messages a second, in and out (waba-meta.md §7). */
const throughputs: Record<string, number> = { STANDARD: 80, HIGH: 1_000 }
const qualities: Record<string, string> = { GREEN: 'Alta', YELLOW: 'Média', RED: 'Baixa' }
/** It neither sends nor receives yet. Words we do not know stop nobody. */
const isUnregistered = (status: string | undefined) => status === 'PENDING' || status === 'UNVERIFIED'
const phoneCard = z.object({
  id: z.string(),
  status: z.string().optional().catch(undefined),
  display_phone_number: z.string().optional(),
  verified_name: z.string().optional(),
})

type Posting = { isHarmless?: boolean; to?: 'messages' | 'calls' | 'block_users'; method?: 'POST' | 'DELETE' }
const post = (
  context: Context,
  body: object,
  { isHarmless = false, to = 'messages', method = 'POST' }: Posting = {},
) => {
  const request = {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', ...body }),
  } as const
  return graph(context, `${context.config.phoneNumberId}/${to}`, request, isHarmless)
}

/** Phone wins over the business-scoped id. */
const addressed = (to: Identity[]) => {
  const named = (kind: Identity['kind']) => to.find((one) => one.kind === kind)?.value
  const [group, phone, recipient] = [named('group'), named('phone'), named('bsuid')]
  if (group) return { recipient_type: 'group', to: group }
  if (phone) return { recipient_type: 'individual', to: phone }
  if (recipient) return { recipient_type: 'individual', recipient }
  throw new ChannelError('final', 'O contato não tem um número de WhatsApp.', { isUnreachable: true })
}

const contentOf = async (message: Outbound, context: Context): Promise<object> => {
  switch (message.type) {
    case 'text':
      return { type: 'text', text: { body: message.body, preview_url: /https?:\/\//.test(message.body) } }
    case 'location':
      return { type: 'location', location: message.location }
    case 'contact':
      return { type: 'contacts', contacts: message.contacts.map(cardOf) }
    case 'interactive':
      return { type: 'interactive', interactive: interactiveOf(message) }
    case 'template':
      return { type: 'template', template: templateOf(message, message.media ? await upload(message, context) : null) }
    default: {
      const { id, name, mime } = await upload(message, context)
      const hasCaption = message.body && message.type !== 'audio' && message.type !== 'sticker'
      const part = {
        id,
        ...(hasCaption ? { caption: message.body } : {}),
        ...(message.type === 'audio' && /ogg/.test(mime) ? { voice: true } : {}),
        ...(message.type === 'document' ? { filename: name } : {}),
      }
      return { type: message.type, [message.type]: part }
    }
  }
}

const cardOf = (one: Outbound['contacts'][number]) => ({
  name: { formatted_name: one.name, first_name: one.name },
  phones: one.phones.map((phone) => ({ phone, type: 'CELL' })),
  emails: one.emails.map((email) => ({ email, type: 'WORK' })),
  ...(one.organization ? { org: { company: one.organization } } : {}),
})

/** Nobody sees an upload until it is sent, so it may be repeated. */
const upload = async (message: Outbound, context: Context) => {
  const { file, name, mime } = await fileOf(message)
  const { FormData } = await import('undici')
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('type', mime)
  form.set('file', file, name)
  const request = { method: 'POST', body: form, timeoutMs: 120_000 } as const
  const answer = await graph(context, `${context.config.phoneNumberId}/media`, request, true)
  const { data } = z.object({ id: z.string() }).safeParse(answer.json())
  if (!data) throw new ChannelError('retry', 'A Meta não aceitou o arquivo agora.')
  return { id: data.id, name, mime }
}

/** A refusal that is no fault of the connection, said in the words of what was tried. */
const inOtherWords = (text: string) => (error: unknown) => {
  const isPlain = error instanceof ChannelError && error.outcome === 'final' && !error.isConnectionBroken
  throw isPlain ? new ChannelError('final', text) : error
}

/** Meta writes the hash in hex here and in base64 there. */
const isWhole = (bytes: Buffer, sha256: string | undefined) => {
  if (!sha256) return true
  const hash = createHash('sha256').update(bytes).digest()
  return [hash.toString('hex'), hash.toString('base64')].includes(sha256)
}
