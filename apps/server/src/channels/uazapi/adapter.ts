import { z } from 'zod'
import { isSame } from '../../kit/crypto.ts'
import { loose } from '../../kit/loose.ts'
import { type ChannelAdapter, ChannelError } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { unclear } from '../http-errors.ts'
import { gone, goneWhenRefused } from '../whatsapp/files.ts'
import { addressOf, formsOf, identitiesOf, isGroup } from '../whatsapp/jids.ts'
import { listed } from '../whatsapp/phone-book.ts'
import { groupInfo, listedGroups, participantsOf } from '../whatsapp/whatsmeow-groups.ts'
import { call, openFile } from './api.ts'
import { groupAct, infoOf } from './groups.ts'
import { check, connect, disconnect, link, unlink } from './instance.ts'
import { parse } from './parse.ts'
import { bodyOf, numberOf } from './send.ts'
import { split } from './split.ts'

/** uazapiGO v2 (reference sheet uazapi.md). */
export const uazapi: ChannelAdapter<'uazapi'> = {
  hook: {
    /** Calls are not signed: they carry the token of their instance. */
    verify: ({ body }, { config }) => {
      const { token } = proof.safeParse(body).data ?? {}
      return Boolean(token && config.token && isSame(token, config.token))
    },
  },
  split,
  parse,
  send: async (message, context) => {
    const number = numberOf(message.to)
    const { route, late, ...body } = await bodyOf(message)
    const replyid = message.quotedProviderId ?? undefined
    const answer = await call(context, `send/${route}`, {
      body: { number, ...body, replyid, ...trackedAs(message.id) },
      timeoutMs: message.media ? 120_000 : undefined,
      late,
    })
    const { data } = sent.safeParse(answer)
    if (!data) throw unclear('A uazapi respondeu de um jeito inesperado.')
    return { providerId: data.messageid, identities: identitiesOf(data.chatid, data.chatlid) }
  },
  /** What it does not know may still be on its way. */
  find: async (messageId, context) => {
    const answer = await call(context, 'message/find', {
      body: { ...trackedAs(messageId), limit: 1 },
      isHarmless: true,
    })
    const found = tracked.safeParse(answer).data?.messages.find((one) => one.track_id === messageId)
    return found?.messageid
  },
  react: async ({ providerId: id, to, emoji }, context) => {
    await call(context, 'message/react', { body: { number: addressOf(to), text: emoji, id }, isHarmless: true })
  },
  edit: async ({ providerId: id, body: text }, context) => {
    await call(context, 'message/edit', { body: { id, text }, isHarmless: true })
  },
  remove: async ({ providerId: id }, context) => {
    await call(context, 'message/delete', { body: { id }, isHarmless: true })
  },
  markRead: async ({ providerId }, context) => {
    await call(context, 'message/markread', { body: { id: [providerId] }, isHarmless: true })
  },
  typing: async ({ to }, context) => {
    const body = { number: numberOf(to), presence: 'composing', delay: shownMs }
    await call(context, 'message/presence', { body, isHarmless: true })
  },
  rejectCall: async ({ providerId: id, to }, context) => {
    await call(context, 'call/reject', { body: { number: numberOf(to), id }, isHarmless: true })
  },
  fetchMedia: async (source, context) => {
    const { id } = named.safeParse(source).data ?? {}
    if (!id) throw gone()
    const asked = { id, return_base64: true, return_link: false, generate_mp3: false }
    return { stream: await openFile(context, 'message/download', asked, 'base64Data').catch(goneWhenRefused) }
  },
  participants: async ({ to }, context) => {
    const { Participants } = groupInfo.safeParse(await infoOf(addressOf(to), context)).data ?? {}
    if (!Participants) throw new ChannelError('retry', 'A uazapi não disse quem está no grupo.')
    return participantsOf(Participants)
  },
  groups: async (_target, context) =>
    listedGroups(Object(await call(context, 'group/list', { isHarmless: true, timeoutMs: bookMs })).groups),
  groupAct,
  numbers: async ({ numbers }, context) => {
    const answer = await call(context, 'chat/check', { body: { numbers }, isHarmless: true, timeoutMs: 60_000 })
    const known = z
      .array(z.unknown())
      .catch([])
      .parse(answer)
      .flatMap((one) => checked.safeParse(one).data ?? [])
    return numbers.map((number) => {
      const forms = formsOf(number.replace(/\D/g, ''))
      const found = known.find(({ query, jid }) => forms.includes(query) || forms.includes(jid?.split('@', 1)[0] ?? ''))
      const exists = found?.isInWhatsapp ?? false
      return { number, exists, identities: exists ? identitiesOf(found?.jid, found?.lid) : [] }
    })
  },
  phoneBook: async ({ of }, context) => {
    if (of === 'people') {
      const answer = await call(context, 'contacts', { isHarmless: true, timeoutMs: bookMs })
      return listed(answer, person, ({ jid, contactName, contact_name }) => [jid, contactName || contact_name])
    }
    const answer = await call(context, 'group/list', { isHarmless: true, timeoutMs: bookMs })
    return listed(Object(answer).groups, groupCard, ({ JID, Name }) => [JID, Name])
  },
  profile: async ({ to }, context) => {
    const number = addressOf(to)
    const about = isGroup(number) ? groupInfo.safeParse(await infoOf(number, context)).data : undefined
    const body = { number: isGroup(number) ? number : numberOf(to), preview: false }
    const { data } = card.safeParse(await call(context, 'chat/details', { body, isHarmless: true }))
    return {
      name: data?.wa_name || data?.name || undefined,
      pictureUrl: data?.image || data?.imagePreview || undefined,
      ...(about && { description: about.Topic, isAdminsOnly: about.IsAnnounce }),
    }
  },
  /** An instance is known by its token, which nobody may read. */
  accountOf: ({ baseUrl, token }) =>
    token ? { id: `${new URL(baseUrl).host}/${fingerprint(token)}`, field: 'token' } : undefined,
  connect,
  link,
  unlink,
  check,
  disconnect,
}

const bookMs = 120_000
const person = z.object({ jid: loose(z.string()), contactName: loose(z.string()), contact_name: loose(z.string()) })
const groupCard = z.object({ JID: loose(z.string()), Name: loose(z.string()) })

/** As long as it is shown, unless a message comes first. */
const shownMs = 10_000
/** Ours among those of everybody who sends by this instance. */
const trackedAs = (messageId: string) => ({ track_source: 'balcao', track_id: messageId })

const proof = z.object({ token: z.string().min(1) })
const sent = z.object({ messageid: z.string().min(1), chatid: loose(z.string()), chatlid: loose(z.string()) })
const tracked = z.object({ messages: z.array(z.object({ messageid: z.string().min(1), track_id: loose(z.string()) })) })
const named = z.object({ id: z.string().min(1) })
const checked = z.object({
  query: z.string().catch(''),
  jid: loose(z.string()),
  lid: loose(z.string()),
  isInWhatsapp: z.boolean(),
})
const card = z.object({
  wa_name: loose(z.string()),
  name: loose(z.string()),
  image: loose(z.string()),
  imagePreview: loose(z.string()),
})
