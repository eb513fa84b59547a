import type { Capability } from './abilities.ts'

/** What all share that reach WhatsApp as one more device of somebody's phone, whoever drives it. */
export const linkedPhone = {
  identities: { phone: 100, lid: 80, group: 100 },
  reachedBy: { identities: ['phone', 'lid', 'group'], whenNot: 'Este contato não tem telefone.' },
  isUnofficial: true,
  pace: { perSecond: 1, burst: 5 },
} as const

/** What every one of them can do. */
export const linkedPhoneSupports = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  'location',
  'contact',
  'poll',
  'reply',
  'reaction',
  'edit',
  'delete',
  'readReceipts',
  'groups',
  'mentions',
  'groupMessages',
  'groupActs',
  'link',
  'mass',
] as const satisfies Capability[]
