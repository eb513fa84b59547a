import type { GroupMember } from '@balcao/contract/conversations/groups.ts'
import { mentionsIn } from '@balcao/contract/conversations/mentions.ts'
import type { MessageSend } from '@balcao/contract/conversations/messages.ts'

/** By the beginning of a word of the name, whatever its accents, or by digits of the number. */
export const findMembers = (all: readonly GroupMember[], search: string): readonly GroupMember[] => {
  const wanted = plain(search.trim())
  const digits = /^[\d\s()+-]{3,}$/.test(wanted) ? wanted.replace(/\D/g, '') : ''
  if (!wanted) return all
  return all.filter(
    ({ name, number }) =>
      plain(name).startsWith(wanted) ||
      plain(name).includes(` ${wanted}`) ||
      (digits !== '' && (number?.includes(digits) ?? false)),
  )
}

/** Whom a message may call, each by a name nobody else has: of two of one name, the end of the number tells them apart. */
export const callable = (members: readonly GroupMember[]): GroupMember[] => {
  const others = members.filter(({ isUs }) => !isUs)
  const times = new Map<string, number>()
  for (const { name } of others) times.set(plain(name), (times.get(plain(name)) ?? 0) + 1)
  return others.map((one) => {
    if (times.get(plain(one.name)) === 1) return one
    return { ...one, name: `${one.name} ${(one.number ?? one.id.replace(/\D/g, '')).slice(-4)}`.trim() }
  })
}

/** Those a text calls by `@name`. */
export const calledIn = (text: string, members: readonly GroupMember[]): MessageSend['called'] => {
  const found = text.includes('@') ? mentionsIn(text, members).flatMap(({ of }) => of) : []
  return found.length ? [...new Set(found)].map(({ id, name }) => ({ id, name })) : undefined
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
