import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { type ChannelAdapter, ChannelError, type Outbound } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { unclear } from '../http-errors.ts'
import { notOnWhatsApp } from '../whatsapp/disconnects.ts'
import { providerIdOf } from '../whatsapp/ids.ts'
import { addressOf, formsOf, identitiesOf, isGroup } from '../whatsapp/jids.ts'
import { listed } from '../whatsapp/phone-book.ts'
import { oneSpelling } from '../whatsapp/proto.ts'
import { groupInfo, listedGroups, participantsOf } from '../whatsapp/whatsmeow-groups.ts'
import { type Context, call } from './api.ts'
import { fetchMedia } from './files.ts'
import { groupAct, infoOf } from './groups.ts'
import { check, connect, disconnect, link, ownJid, statusOf, unlink } from './instance.ts'
import { parse } from './parse.ts'
import { bodyOf } from './send.ts'
import { split } from './split.ts'
import { verify } from './webhook.ts'

/** WuzAPI (reference sheet wuzapi.md, and its source). It looks no message up: there is no `find`. */
export const wuzapi: ChannelAdapter<'wuzapi'> = {
  hook: { verify },
  split,
  parse,
  chooseId: providerIdOf,
  send: async (message, context) => {
    const Phone = addressOf(message.to)
    const { route, body, mentioned, late } = await bodyOf(message)
    const ContextInfo = await contextInfoOf(message, mentioned, context)
    const answer = await call(context, `chat/send/${route}`, {
      body: { Phone, Id: message.providerId ?? providerIdOf(message.id), ...body, ...(ContextInfo && { ContextInfo }) },
      timeoutMs: message.media ? 120_000 : undefined,
      late,
    })
    const { data } = sent.safeParse(answer)
    if (!data) throw unclear('O WuzAPI respondeu de um jeito inesperado.')
    return { providerId: data.Id }
  },
  react: async ({ providerId, to, emoji, fromMe, author }, context) => {
    const Phone = addressOf(to)
    const Participant = author && isGroup(Phone) ? addressOf(author) : undefined
    const body = { Phone, Body: emoji || 'remove', Id: fromMe ? `me:${providerId}` : providerId, Participant }
    await call(context, 'chat/react', { body, isHarmless: true })
  },
  edit: async ({ providerId: Id, to, body: Body }, context) => {
    await call(context, 'chat/send/edit', { body: { Phone: addressOf(to), Id, Body }, isHarmless: true })
  },
  remove: async ({ providerId: Id, to }, context) => {
    await call(context, 'chat/delete', { body: { Phone: addressOf(to), Id }, isHarmless: true })
  },
  markRead: async ({ providerId, to, author }, context) => {
    const chat = addressOf(to)
    const sender = author && isGroup(chat) ? addressOf(author) : undefined
    // Older servers know both by other names.
    const body = { Id: [providerId], ChatPhone: chat, Chat: chat, SenderPhone: sender, Sender: sender }
    await call(context, 'chat/markread', { body, isHarmless: true })
  },
  typing: async ({ to }, context) => {
    const body = { Phone: addressOf(to), State: 'composing', Media: '' }
    await call(context, 'chat/presence', { body, isHarmless: true })
  },
  rejectCall: async ({ providerId, to }, context) => {
    const body = { call_from: addressOf(to), call_id: providerId }
    await call(context, 'call/reject', { body, isHarmless: true })
  },
  fetchMedia,
  participants: async ({ to }, context) => {
    const { Participants } = groupInfo.safeParse(await infoOf(addressOf(to), context)).data ?? {}
    if (!Participants) throw new ChannelError('retry', 'O WuzAPI não disse quem está no grupo.')
    return participantsOf(Participants)
  },
  groups: async (_target, context) =>
    listedGroups(Object(await call(context, 'group/list', { isHarmless: true, timeoutMs: bookMs })).Groups),
  groupAct,
  numbers: async ({ numbers }, context) => {
    const known = await checkNumbers(numbers, context)
    return numbers.map((number) => {
      const forms = formsOf(number.replace(/\D/g, ''))
      const found = known.find(({ Query, JID }) =>
        [Query.replace(/\D/g, ''), userOf(JID)].some((one) => forms.includes(one)),
      )
      const exists = found?.IsInWhatsapp ?? false
      return { number, exists, identities: exists ? identitiesOf(found?.JID) : [] }
    })
  },
  phoneBook: async ({ of }, context) => {
    if (of === 'groups') {
      const answer = await call(context, 'group/list', { isHarmless: true, timeoutMs: bookMs })
      return listed(Object(answer).Groups, groupCard, ({ JID, Name }) => [JID, Name])
    }
    const answer = Object(await call(context, 'user/contacts', { isHarmless: true, timeoutMs: bookMs }))
    const people = Object.entries(answer).map(([jid, card]) => ({ ...Object(card), jid }))
    return listed(people, person, ({ jid, FullName, PushName }) => [jid, FullName || PushName])
  },
  profile: async ({ to }, context) => {
    const address = addressOf(to)
    const [shown, pictureUrl] = await Promise.all([shownBy(address, context), pictureOf(address, context)])
    return { ...shown, pictureUrl }
  },
  /** A user is known by its token, which nobody may read. */
  accountOf: ({ baseUrl, token }) =>
    token ? { id: `${new URL(baseUrl).host}/${fingerprint(token)}`, field: 'token' } : undefined,
  connect,
  link,
  unlink,
  check,
  disconnect,
}

/** WuzAPI asks who wrote what is quoted, and does not look it up. */
const contextInfoOf = async ({ quotedProviderId, quotedBy, to }: Outbound, mentioned: string[], context: Context) => {
  const calls = mentioned.length ? { MentionedJID: mentioned } : undefined
  if (!quotedProviderId) return calls
  const writer = quotedBy?.author?.length ? addressOf(quotedBy.author) : addressOf(to)
  const Participant = quotedBy?.fromMe ? (ownJid(await statusOf(context)) ?? writer) : writer
  return { StanzaId: quotedProviderId, Participant, ...calls }
}

type Shown = { name?: string; description?: string; isAdminsOnly?: boolean }
const shownBy = async (address: string, context: Context): Promise<Shown> => {
  if (isGroup(address)) {
    const { Name, Topic, IsAnnounce } = groupInfo.safeParse(await infoOf(address, context)).data ?? {}
    return { name: Name || undefined, description: Topic, isAdminsOnly: IsAnnounce }
  }
  if (address.endsWith('@lid')) return {}
  const [found] = await checkNumbers([userOf(address)], context)
  if (found && !found.IsInWhatsapp) throw notOnWhatsApp()
  return { name: found?.VerifiedName || undefined }
}
/** Who shows none, or not to us, is told as a fault. */
const pictureOf = async (address: string, context: Context): Promise<string | undefined> => {
  const body = { Phone: address, Preview: false }
  const answer = await call(context, 'user/avatar', { body, isHarmless: true }).catch((error) => {
    if (error instanceof ChannelError && !error.isConnectionBroken) return undefined
    throw error
  })
  return avatar.safeParse(oneSpelling(answer)).data?.url
}
const checkNumbers = async (numbers: string[], context: Context) => {
  const Phone = numbers.map((number) => `+${number.replace(/\D/g, '')}`)
  const answer = await call(context, 'user/check', { body: { Phone }, isHarmless: true, timeoutMs: 60_000 })
  return checked.parse(answer).Users
}
const userOf = (jid: string) => jid.split('@', 1).join()

const bookMs = 120_000
const person = z.object({ jid: z.string(), FullName: loose(z.string()), PushName: loose(z.string()) })
const groupCard = z.object({ JID: loose(z.string()), Name: loose(z.string()) })
const sent = z.object({ Id: z.string().min(1) })
const avatar = z.object({ url: z.url() })
const checked = z
  .object({
    Users: z.array(
      z.object({
        Query: z.string().catch(''),
        JID: z.string().catch(''),
        IsInWhatsapp: z.boolean(),
        VerifiedName: loose(z.string()),
      }),
    ),
  })
  .catch({ Users: [] })
