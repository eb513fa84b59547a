import { createHash } from 'node:crypto'
import type {
  BinaryNode,
  SignalDataSet,
  SignalKeyStoreWithTransaction,
  UserFacingSocketConfig,
} from '@whiskeysockets/baileys'
import type { SessionHost } from '../adapter.ts'
import { fromJson, toJson } from './json.ts'
import { createLine, isOfConversation, isTold, receiptIds, type Told } from './stanzas.ts'
import { untilStored } from './until-stored.ts'

type MakeRepository = NonNullable<UserFacingSocketConfig['makeSignalRepository']>
/** `text`: what was deciphered of a message. */
type Kept = { stanza: BinaryNode; text?: Uint8Array; at: number }

/** Where the login writes what belongs to this type of the library's keys. */
const type = 'opened'
const prefix = `key:${type}:`
const givenUpAfterMs = 24 * 60 * 60_000

/** Of a message to a group so many that have it are told; the first is enough. */
const mostKnownReceipts = 5_000

/**
 * What was acknowledged and is not in the journal yet. To decipher a message uses its key up, and the library acknowledges
 * it before it tells of it: WhatsApp would not bring it again, and nobody could read it if it did. So the stanza and its
 * text are written together with the key, and told again, by the library's own path, to whoever comes next. Everything
 * else that says something is written as it comes, before the library has it and acknowledges it.
 */
export const createOpened = (host: SessionHost) => {
  const kept = new Map<string, Kept>()
  /** A stanza in hand, by the very bytes that are to be deciphered. */
  const inHand = new WeakMap<Uint8Array, BinaryNode>()

  const nameOf = (sealed: Uint8Array) => createHash('sha256').update(sealed).digest('hex').slice(0, 32)

  const open = async (
    keys: SignalKeyStoreWithTransaction,
    sealed: Uint8Array,
    lock: string,
    decipher: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> => {
    const name = nameOf(sealed)
    const known = kept.get(name)?.text
    if (known) return known
    const stanza = inHand.get(sealed)
    if (!stanza) return decipher()
    return keys.transaction(async () => {
      const text = await decipher()
      const one: Kept = { stanza, text, at: Date.now() }
      await keys.set({ [type]: { [name]: one } } as SignalDataSet) // no type of the library's; it passes through
      kept.set(name, one)
      return text
    }, lock)
  }

  const delivered = new Set<string>()
  const isNews = (stanza: BinaryNode) => {
    if (!isOfConversation(stanza) || kept.has(nameOfStanza(stanza))) return false
    const isOfGroup = stanza.tag === 'receipt' && stanza.attrs.participant !== undefined
    return !isOfGroup || receiptIds(stanza).some((id) => !delivered.has(id))
  }
  const keep = async (stanzas: BinaryNode[]) => {
    const at = Date.now()
    const some = new Map(stanzas.map((stanza): [string, Kept] => [nameOfStanza(stanza), { stanza, at }]))
    const changes = Object.fromEntries([...some].map(([name, one]) => [`${prefix}${name}`, toJson(one)]))
    if (!(await untilStored(() => host.receive([], changes), host.signal))) throw new Error('The session is lost')
    for (const [name, one] of some) kept.set(name, one)
    if (delivered.size > mostKnownReceipts) delivered.clear()
    for (const stanza of stanzas)
      if (stanza.tag === 'receipt' && stanza.attrs.participant) for (const id of receiptIds(stanza)) delivered.add(id)
  }

  return {
    /** Each stanza on its way to the library. */
    line: () => createLine(isNews, keep),
    /** Reads what an earlier process, or an earlier connection, left. */
    load: async () => {
      for (const [name, text] of await host.state(prefix)) {
        const { stanza, text: bytes, at } = Object(fromJson(text)) as Kept // as it was written below
        kept.set(name.slice(prefix.length), { stanza, text: bytes, at })
      }
    },
    /** What arrives, before the library reads it. */
    see: (stanza: BinaryNode) => {
      for (const { content } of Array.isArray(stanza.content) ? stanza.content : [])
        if (content instanceof Uint8Array) inHand.set(content, stanza)
    },
    /** Deciphers as the library does, and once: what it opened before is read from here. */
    within:
      (make: MakeRepository): MakeRepository =>
      (auth, ...more) => {
        const repository = make(auth, ...more)
        const keys = auth.keys as SignalKeyStoreWithTransaction // the library makes it one before it asks
        return {
          ...repository,
          decryptMessage: (given) => open(keys, given.ciphertext, given.jid, () => repository.decryptMessage(given)),
          decryptGroupMessage: (given) =>
            open(keys, given.msg, given.group, () => repository.decryptGroupMessage(given)),
        }
      },
    /** The stanzas to be told again, oldest first; what nobody could use for a day is given up. */
    left: (): BinaryNode[] => {
      const stanzas = [...kept.values()].toSorted((a, b) => a.at - b.at).map(({ stanza }) => stanza)
      return [...new Map(stanzas.map((one) => [nameOfStanza(one), one])).values()]
    },
    /** What is to be forgotten in the same write that journals what was told. */
    droppedWith: (told: Told): Record<string, null> => {
      const dropped: Record<string, null> = {}
      for (const [name, { stanza, at }] of kept) {
        if (isTold(stanza, told) || at < Date.now() - givenUpAfterMs) dropped[`${prefix}${name}`] = null
      }
      return dropped
    },
    /** They are written. */
    forget: (dropped: Record<string, null>) => {
      for (const name of Object.keys(dropped)) kept.delete(name.slice(prefix.length))
    },
  }
}

/** The same when it is brought again, whatever is said of its coming late. */
const nameOfStanza = ({ tag, attrs, content }: BinaryNode): string => {
  const { offline: _, ...named } = attrs
  const children = Array.isArray(content) && tag === 'call' ? content.map((child) => [child.tag, child.attrs]) : []
  return createHash('sha256')
    .update(JSON.stringify([tag, named, children]))
    .digest('hex')
    .slice(0, 32)
}
export type Opened = ReturnType<typeof createOpened>
