import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import { isSame } from '../../kit/crypto.ts'
import { loose } from '../../kit/loose.ts'
import { type ChannelAdapter, ChannelError } from '../adapter.ts'
import { unclear } from '../http-errors.ts'
import { notOnWhatsApp } from '../whatsapp/disconnects.ts'
import { gone, goneWhenRefused } from '../whatsapp/files.ts'
import { addressOf, formsOf, identitiesOf, isGroup } from '../whatsapp/jids.ts'
import { listed } from '../whatsapp/phone-book.ts'
import { call, openFile } from './api.ts'
import { asParticipants, groupAct, listGroups, members } from './groups.ts'
import { check, connect, disconnect, link, secretHeader, unlink } from './instance.ts'
import { fetchFromMeta, templatesOf } from './meta.ts'
import { parse } from './parse.ts'
import { bodyOf } from './send.ts'
import { split } from './split.ts'

/** Evolution API v2 (reference sheet evolution.md). It looks nothing up by an id of ours: there is no `find`. */
export const evolution: ChannelAdapter<'evolution'> = {
  hook: {
    verify: ({ headers }, { hookSecret }) => {
      const given = headers[secretHeader]
      return typeof given === 'string' && isSame(given, hookSecret)
    },
  },
  split,
  parse,
  send: async (message, context) => {
    const number = addressOf(message.to)
    const { route, late, ...body } = await bodyOf(message, context)
    const quoted = message.quotedProviderId ? { quoted: { key: { id: message.quotedProviderId } } } : {}
    const answer = await call(context, `message/${route}`, {
      body: { number, ...body, ...quoted },
      timeoutMs: message.media ? 120_000 : undefined,
      late,
    })
    const { data } = sent.safeParse(answer)
    if (!data) throw unclear('O Evolution respondeu de um jeito inesperado.')
    return { providerId: data.key.id, identities: identitiesOf(data.key.remoteJid, data.key.remoteJidAlt) }
  },
  react: async ({ providerId, to, emoji, fromMe, author }, context) => {
    const remoteJid = addressOf(to)
    const participant = author && isGroup(remoteJid) ? addressOf(author) : undefined
    const key = { id: providerId, remoteJid, fromMe, participant }
    await call(context, 'message/sendReaction', { body: { key, reaction: emoji }, isHarmless: true })
  },
  edit: async ({ providerId, to, body }, context) => {
    const remoteJid = addressOf(to)
    const key = { id: providerId, remoteJid, fromMe: true }
    await call(context, 'chat/updateMessage', { body: { number: remoteJid, key, text: body }, isHarmless: true })
  },
  remove: async ({ providerId, to, author }, context) => {
    const participant = author && addressOf(author)
    const body = { id: providerId, remoteJid: addressOf(to), fromMe: !author, participant }
    await call(context, 'chat/deleteMessageForEveryone', { method: 'DELETE', body, isHarmless: true })
  },
  markRead: async ({ providerId, to }, context) => {
    const readMessages = [{ id: providerId, remoteJid: addressOf(to), fromMe: false }]
    await call(context, 'chat/markMessageAsRead', { body: { readMessages }, isHarmless: true })
  },
  typing: async ({ to }, context) => {
    const body = { number: addressOf(to), presence: 'composing', delay: shownMs }
    await call(context, 'chat/sendPresence', { body, isHarmless: true })
  },
  fetchMedia: async (source, context) => {
    const { graphId, id } = named.safeParse(source).data ?? {}
    if (graphId) return fetchFromMeta(graphId, context)
    if (!id) throw gone()
    const body = { message: { key: { id } }, convertToMp4: false }
    const stream = await openFile(context, 'chat/getBase64FromMediaMessage', body, 'base64').catch(goneWhenRefused)
    return { stream }
  },
  participants: async ({ to }, context) => {
    const query = { groupJid: addressOf(to) }
    const answer = await call(context, 'group/participants', { query, isHarmless: true })
    const { data } = members.safeParse(answer)
    if (!data) throw new ChannelError('retry', 'O Evolution não disse quem está no grupo.')
    return asParticipants(data.participants)
  },
  groups: (_target, context) => listGroups(context),
  groupAct,
  numbers: async ({ numbers }, context) => {
    const answer = await call(context, 'chat/whatsappNumbers', {
      body: { numbers },
      isHarmless: true,
      timeoutMs: 60_000,
    })
    const known = z
      .array(z.unknown())
      .catch([])
      .parse(answer)
      .flatMap((one) => checked.safeParse(one).data ?? [])
    return numbers.map((number) => {
      const forms = formsOf(number.replace(/\D/g, ''))
      const found = known.find((one) => forms.includes(one.number) || forms.includes(one.jid.split('@', 1).join()))
      const exists = found?.exists ?? false
      const identities: Identity[] = exists ? identitiesOf(found?.jid, found?.lid) : []
      return { number, exists, identities }
    })
  },
  phoneBook: async ({ of }, context) => {
    const isGroups = of === 'groups'
    const answer = isGroups
      ? await call(context, 'group/fetchAllGroups', {
          query: { getParticipants: 'false' },
          isHarmless: true,
          timeoutMs,
        })
      : await call(context, 'chat/findContacts', { body: { where: {} }, isHarmless: true, timeoutMs })
    return listed(answer, listedRow, ({ id, remoteJid, subject, pushName }) =>
      isGroups ? [id, subject] : [remoteJid, pushName],
    ).filter(({ identities }) => isGroups === identities.some(({ kind }) => kind === 'group'))
  },
  profile: async ({ to }, context) => {
    const number = addressOf(to)
    if (isGroup(number)) {
      const answer = await call(context, 'group/findGroupInfos', { query: { groupJid: number }, isHarmless: true })
      const { subject, pictureUrl, desc, announce } = groupCard.safeParse(answer).data ?? {}
      return {
        name: subject || undefined,
        pictureUrl: pictureUrl || undefined,
        description: desc,
        isAdminsOnly: announce,
      }
    }
    const answer = await call(context, 'chat/fetchProfile', { body: { number }, isHarmless: true })
    const { name, picture, numberExists } = card.safeParse(answer).data ?? {}
    if (numberExists === false) throw notOnWhatsApp()
    return { name: name || undefined, pictureUrl: picture || undefined }
  },
  templates: templatesOf,
  accountOf: ({ baseUrl, instanceName }) =>
    instanceName ? { id: `${new URL(baseUrl).host}/${instanceName}`, field: 'instanceName' } : undefined,
  connect,
  link,
  unlink,
  check,
  disconnect,
}

const timeoutMs = 120_000
const listedRow = z.object({
  id: loose(z.string()),
  remoteJid: loose(z.string()),
  subject: loose(z.string()),
  pushName: loose(z.string()),
})

/** The call takes as long as it is shown. */
const shownMs = 1_500

const sent = z.object({
  key: z.object({ id: z.string().min(1), remoteJid: loose(z.string()), remoteJidAlt: loose(z.string()) }),
})
const named = z.object({ id: z.string().optional(), graphId: z.string().optional() })
const checked = z.object({ jid: z.string(), exists: z.boolean(), number: z.string().catch(''), lid: loose(z.string()) })
const card = z.object({ name: loose(z.string()), picture: loose(z.string()), numberExists: loose(z.boolean()) })
const groupCard = z.object({
  subject: loose(z.string()),
  pictureUrl: loose(z.string()),
  desc: loose(z.string()),
  announce: loose(z.boolean()),
})
