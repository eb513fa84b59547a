import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { AnyMessageContent, WAMessage, WAMessageKey } from '@whiskeysockets/baileys'
import { ChannelError, type Outbound, type Session, type SessionHost } from '../adapter.ts'
import { unclear } from '../http-errors.ts'
import { notLinked, notOnWhatsApp } from '../whatsapp/disconnects.ts'
import { providerIdOf } from '../whatsapp/ids.ts'
import { addressOf, formsOf, identitiesOf, identityOf, isGroup, jidOf } from '../whatsapp/jids.ts'
import { contentOf } from './content.ts'
import { actOnGroup, asListed, memberInGroup, participantsOf } from './groups.ts'
import { keysOfId } from './keys.ts'
import { renewFile } from './media.ts'
import type { BaileysPort } from './port.ts'
import { momentText } from './restriction.ts'

type Calls = Session['calls']

/** What only the process with the socket can do. `open` throws while nothing can pass. */
export const callsOf = (open: () => BaileysPort, host: SessionHost, restricted: () => Date | undefined): Calls => {
  const accounts = new Map<string, string | null>()
  const watched = new Set<string>()

  /** The account behind a phone, by whichever of its two names WhatsApp knows it; asked once. */
  const accountOf = async (port: BaileysPort, phone: string): Promise<string | undefined> => {
    const known = accounts.get(phone)
    if (known !== undefined) return known ?? undefined
    for (const form of formsOf(phone)) {
      const [found] = (await port.calls.onWhatsApp(form)) ?? []
      if (!found?.exists) continue
      remember(accounts, phone, found.jid)
      return found.jid
    }
    accounts.set(phone, null)
    setTimeout(() => accounts.delete(phone), forgottenAfterMs).unref()
    return undefined
  }

  /** The id that stands for somebody first: WhatsApp names no conversation otherwise any more. */
  const chatOf = async (port: BaileysPort, to: Identity[]): Promise<string> => {
    const [group, lid] = [to.find(({ kind }) => kind === 'group'), to.find(({ kind }) => kind === 'lid')]
    const plain = (group && jidOf(group)) ?? (lid && jidOf(lid))
    if (plain) return plain
    addressOf(to) // says what is missing
    const phone = to.find(({ kind }) => kind === 'phone')
    const jid = phone && (await accountOf(port, phone.value))
    if (!jid) throw notOnWhatsApp()
    return jid
  }

  /** The message as it came or went; what is too old for that, by what is known of it. */
  const messageOf = async (chat: string, id: string, isOurs?: boolean, author: Identity[] = []): Promise<WAMessage> => {
    const [theirs, ours] = keysOfId(id)
    const kept: unknown = (isOurs ? undefined : await host.recall(theirs)) ?? (await host.recall(ours))
    const message = Object(Object(kept).message) as Partial<WAMessage> // as `plain` wrote it
    const key: WAMessageKey = message.key ?? {
      remoteJid: chat,
      id,
      fromMe: isOurs ?? false,
      participant: memberOf(author),
    }
    return {
      ...message,
      key: { ...key, remoteJid: key.remoteJid ?? chat },
      message: message.message ?? { conversation: '' },
    }
  }

  const send = async (message: Outbound) => {
    const port = open()
    const until = restricted()
    if (until && message.isFirst) throw heldUntil(until)
    const jid = await asked(chatOf(port, message.to))
    const content = await contentOf(message)
    const quoted = message.quotedProviderId ? await messageOf(jid, message.quotedProviderId) : undefined
    const messageId = message.providerId ?? providerIdOf(message.id)
    await sent(port.calls.sendMessage(jid, content, { messageId, quoted }))
    const identity = identityOf(jid)
    return { providerId: messageId, identities: identity ? [identity] : [] }
  }

  const change = async (to: Identity[], act: (chat: string) => Promise<AnyMessageContent>) => {
    const port = open()
    const jid = await asked(chatOf(port, to))
    await sent(port.calls.sendMessage(jid, await act(jid), {}))
  }

  return {
    send,
    react: ({ providerId, to, emoji, fromMe, author }) =>
      change(to, async (jid) => ({
        react: { text: emoji, key: (await messageOf(jid, providerId, fromMe, author)).key },
      })),
    remove: ({ providerId, to, author }) =>
      change(to, async (jid) => {
        const participant = author && (await memberInGroup(open(), jid, author))
        return { delete: { remoteJid: jid, id: providerId, fromMe: !author, participant } }
      }),
    edit: ({ providerId, to, body }) =>
      change(to, async (jid) => ({ text: body, edit: { remoteJid: jid, id: providerId, fromMe: true } })),
    markRead: async ({ providerId, to }) => {
      const port = open()
      const { key } = await messageOf(await asked(chatOf(port, to)), providerId)
      await asked(port.calls.readMessages([key]))
    },
    typing: async ({ to }) => {
      const port = open()
      const jid = await asked(chatOf(port, to))
      await asked(port.calls.sendPresenceUpdate('composing', jid))
      if (watched.has(jid)) return
      if (watched.size > 1_000) watched.clear()
      watched.add(jid)
      await port.calls.presenceSubscribe(jid).catch(() => watched.delete(jid))
    },
    rejectCall: async ({ providerId, to }) => {
      const port = open()
      await asked(port.calls.rejectCall(providerId, await asked(chatOf(port, to))))
    },
    participants: async ({ to }) => {
      const port = open()
      const group = await asked(port.calls.groupMetadata(await asked(chatOf(port, to))))
      return participantsOf(group)
    },
    groups: async () => {
      const groups = await asked(open().calls.groupFetchAllParticipating())
      return Object.values(groups).flatMap(asListed)
    },
    groupAct: (target) => actOnGroup(target, { port: open(), accountOf, asked, sent }),
    numbers: async ({ numbers }) => {
      const port = open()
      const found: { number: string; exists: boolean; identities: Identity[] }[] = []
      for (const number of numbers) {
        const jid = await asked(accountOf(port, number))
        const lid = jid && (await port.calls.getLIDForPN(jid).catch(() => null))
        found.push({ number, exists: jid !== undefined, identities: identitiesOf(jid, lid ?? undefined) })
      }
      return found
    },
    renewMedia: ({ source }) => renewFile(open(), source),
    profile: async ({ to }) => {
      const port = open()
      const jid = await asked(chatOf(port, to))
      const pictureUrl = await port.calls.profilePictureUrl(jid, 'preview').catch(() => undefined) // hidden, or none
      if (!isGroup(jid)) return { pictureUrl }
      const { subject, desc, announce } = await asked(port.calls.groupMetadata(jid))
      return { pictureUrl, name: subject || undefined, description: desc, isAdminsOnly: announce }
    },
  }
}

const longestHeldMs = 30 * 60_000
/** WhatsApp counts each try as one more; asked now and then, for a restriction may end before its time. */
const heldUntil = (until: Date) =>
  new ChannelError(
    'retry',
    `O WhatsApp não deixa este número começar conversas até ${momentText(until)}: a mensagem espera.`,
    {
      isHeld: true,
      retryAfterMs: Math.min(Math.max(until.getTime() - Date.now(), 1_000), longestHeldMs),
    },
  )

/** The id that stands for a member first, as their messages name them. */
const memberOf = (author: Identity[]): string | undefined => {
  const one = author.find(({ kind }) => kind === 'lid') ?? author.find(({ kind }) => kind === 'phone')
  return one && jidOf(one)
}

const forgottenAfterMs = 10 * 60_000
const mostRemembered = 20_000
const remember = (accounts: Map<string, string | null>, phone: string, jid: string) => {
  if (accounts.size >= mostRemembered) accounts.clear()
  accounts.set(phone, jid)
}

/** A question changes nothing: it may be put again. */
const asked = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof ChannelError) throw error
    throw refusal(error) ?? new ChannelError('retry', 'O WhatsApp não respondeu.')
  }
}

/** Given away, perhaps: the same id sent again is one message, but nobody knows whether it ever left. */
const sent = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof ChannelError) throw error
    throw refusal(error) ?? unclear('O WhatsApp não confirmou o envio.')
  }
}

/** What the library says before anything has left. */
const refusal = (error: unknown): ChannelError | undefined => {
  const code: unknown = Object(Object(error).output).statusCode
  const text = error instanceof Error ? error.message : ''
  if (code === 401) return notLinked()
  if (code === 429 || /rate-overlimit/.test(text))
    return new ChannelError('retry', 'O WhatsApp pediu para enviar mais devagar.', { retryAfterMs: 60_000 })
  if (code === 403 || /forbidden|not-authorized/.test(text))
    return new ChannelError('final', 'O WhatsApp não permite escrever nesta conversa.')
  if (code === 404 || /item-not-found/.test(text))
    return new ChannelError('final', 'O WhatsApp não conhece mais esta conversa.', { isUnreachable: true })
  return /upload/i.test(text) ? new ChannelError('retry', 'O WhatsApp não aceitou o arquivo agora.') : undefined
}
