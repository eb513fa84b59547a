import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { foldPhone } from '../../kit/phone-numbers.ts'
import { ChannelError, type Mention, type Outbound } from '../adapter.ts'
import { asCalled } from '../members.ts'

/** Chats that are no conversations: stories, broadcast lists, channels of news. */
export const isIgnored = (jid: string): boolean => /@(broadcast|newsletter)$/.test(jid)
export const isGroup = (jid: string): boolean => jid.endsWith('@g.us')

/** What a WhatsApp address says of somebody; whichever of their devices wrote. Undefined for what is nobody. */
export const identityOf = (jid: string | undefined): Identity | undefined => {
  const [, user, server] = /^([\w-]+)(?:[.:]\d+)*@([a-z.]+)$/.exec(jid ?? '') ?? []
  if (!user || !server) return undefined
  if (server === 'g.us') return { kind: 'group', value: user }
  if (!/^\d{5,20}$/.test(user)) return undefined
  if (server === 'lid') return { kind: 'lid', value: user }
  return server === 's.whatsapp.net' || server === 'c.us' ? { kind: 'phone', value: foldPhone(user) } : undefined
}

/** The phone first; each once. */
export const identitiesOf = (...jids: (string | undefined)[]): Identity[] => {
  const known = jids.flatMap((jid) => identityOf(jid) ?? [])
  const distinct = known.filter(({ kind, value }, at) =>
    known.slice(0, at).every((other) => other.kind !== kind || other.value !== value),
  )
  return distinct.toSorted((a, b) => Number(a.kind === 'lid') - Number(b.kind === 'lid'))
}

const servers: Partial<Record<Identity['kind'], string>> = { group: 'g.us', phone: 's.whatsapp.net', lid: 'lid' }
export const jidOf = ({ kind, value }: Identity): string | undefined => {
  const server = servers[kind]
  return server && `${value}@${server}`
}

/** Where a message goes: the group, else the phone, else the id that stands for it. Throws ChannelError. */
export const addressOf = (to: Identity[]): string => {
  const address = (['group', 'phone', 'lid'] as const).flatMap((kind) => to.find((one) => one.kind === kind) ?? [])[0]
  const jid = address && jidOf(address)
  if (!jid) throw new ChannelError('final', 'O contato não tem um número de WhatsApp.', { isUnreachable: true })
  return jid
}

/** A Brazilian mobile is one account under one of two names, with its ninth digit and without: both, ours first. */
export const formsOf = (digits: string): string[] => {
  const folded = foldPhone(digits)
  const [, area, rest] = /^55([1-9]{2})9([6-9]\d{7})$/.exec(folded) ?? []
  return area && rest ? [folded, `55${area}${rest}`] : [folded]
}

const memberJid = (id: string) => (id.includes('@') ? id : `${id}@s.whatsapp.net`)

/** The text as WhatsApp reads it, and the addresses it calls. */
export const calling = ({ body, mentions = [] }: Pick<Outbound, 'body' | 'mentions'>) => ({
  text: asCalled(body, mentions, ({ id }) => `@${id.split('@')[0]}`),
  jids: mentions.map(({ id }) => memberJid(id)),
})

/** Whom a text calls: it says digits, of a phone or of the id that hides one. */
export const mentionsOf = (body: string): Mention[] =>
  [...new Set(body.match(/(?<![\w.])@\d{8,20}(?!\d)/g))].map((text) => {
    const digits = text.slice(1)
    return { text, identities: identitiesOf(`${digits}@s.whatsapp.net`, `${digits}@lid`) }
  })
