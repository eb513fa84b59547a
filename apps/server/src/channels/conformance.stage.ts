import '../../test/kit.ts' // an environment of its own, before anything reads it
import type { Capability } from '@balcao/contract/channels/abilities.ts'
import { abilitiesOf, type ChannelConfig, type ChannelKind, secretFields } from '@balcao/contract/channels/index.ts'
import type { SentTemplate } from '@balcao/contract/channels/templates.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { MailContent } from '@balcao/contract/conversations/messages.ts'
import type { HandsetCustomer, Line } from '@balcao/simulators/handset.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import type { Fault, Simulator } from '@balcao/simulators/simulator.ts'
import { v7 } from 'uuid'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createEgress } from '../kit/egress.ts'
import type {
  ChannelAdapter,
  ChannelContext,
  ChannelError,
  JournalPiece,
  Login,
  Outbound,
  Standing,
} from './adapter.ts'
import { startReceiver } from './conformance.receiver.ts'

export type Expected = Partial<Pick<ChannelError, 'outcome' | 'retryAfterMs' | 'isUnreachable' | 'isConnectionBroken'>>

/** What a provider may be able to show beyond plain messages. `partNeeds` says which ability asks for which. */
export type Parts = {
  /**
   * It calls us and is called over HTTP: posts a body with the right signature, none, or another. Without it everything
   * comes by the session, and there is nothing to prove of signatures, of statuses and pages of HTTP.
   */
  post: (body: string, signature: 'right' | 'missing' | 'wrong') => Promise<number | undefined>
  /** What lets us in there is worth nothing any more; the answer makes it good again. */
  revoke: () => () => void
  /** Members speak in a group, in one call where the provider puts several into one. */
  group: {
    identity: Identity
    members: readonly [Identity, Identity]
    /** `unnamed` is somebody of whom the provider tells as little as it ever does. */
    speak: (lines: { who: 0 | 1 | 'unnamed'; text: string }[]) => Promise<unknown>
    /** Whom our last message to the group calls by name. */
    mentioned?: () => readonly string[]
  }
  /** The same group as it stands there, and what our number is in it. */
  ledGroup: {
    to: Identity[]
    /** Of the group: who is in it, and who leads it. */
    shown: () => {
      title: string
      description: string
      isAdminsOnly: boolean
      hasPicture: boolean
      members: readonly Identity[]
      admins: readonly Identity[]
    }
    /** What somebody said there was taken back for everyone. */
    isDeleted: (providerId: string) => boolean
    /** Our number is its administrator, or only in it. */
    rank: (ours: 'admin' | 'member') => void
    /** Somebody in it; and, where people may be added, somebody who may be and somebody who lets nobody. */
    member: Identity[]
    outsider?: Identity[]
    closed?: Identity[]
    /** A group that was made there, by how we call it. */
    made?: (group: Identity | undefined) => { title: string; members: readonly Identity[] } | undefined
  }
  /** The customer calls and gives up; which calls the provider was told to turn down. */
  call: { ring: () => Promise<string>; giveUp: (id: string) => Promise<unknown>; rejected: () => readonly string[] }
  /** What was said with the customer before the channel came to us. */
  history: { tell: (lines: { text: string; fromMe: boolean; at: Date }[]) => Promise<unknown> }
  /** A phone that leaves the account and comes back by the code it is shown. */
  phone: { leave: () => Promise<unknown>; scan: (login: Login) => Promise<unknown> }
  /** The hours of free text are over; the answer opens them again. */
  window: { close: () => () => void }
  /** An approved template of this account with values, and the text a customer reads of it. */
  template: SentTemplate & { shown: string }
  /** A mail of the customer's, and how our last one reached them. */
  mail: { write: (mail: MailContent & { text: string }) => Promise<unknown>; last: () => MailContent | undefined }
  /** The owner writes to the customer on the phone itself: the id the provider gives it. */
  ownPhone: { write: (text: string) => Promise<string> }
  /** The customer shows the account in a story of theirs, or answers one of its own. */
  story: { mention: () => Promise<unknown>; reply: (text: string) => Promise<unknown> }
  /** The customer comments on what the account published: the id the provider gives it. */
  comment: { write: (text: string) => Promise<string> }
  /** The customer sends pictures together; as which group our last two reached them. */
  album: { send: (pictures: number, caption: string) => Promise<unknown>; groupsOfLast: () => unknown[] }
  /** Our last message with files, as it reached the customer. */
  attached: { last: () => { text: string; files: { name: string; bytes: Buffer }[] } | undefined }
  /** What we send is told to us as well; with `delivery.statusBeforeAnswer` before the answer. */
  echo: true
  /** A received file is an address, as we journal it. */
  mediaByAddress: true
}
export type Part = keyof Parts
/** The ability that cannot be shown without the part; null: a matter of the provider alone. */
export const partNeeds: Record<Part, Capability | null> = {
  post: null,
  revoke: null,
  group: 'groupMessages',
  ledGroup: 'groupActs',
  call: 'calls',
  history: 'history',
  phone: 'link',
  window: 'window24h',
  template: 'template',
  mail: 'mail',
  story: 'stories',
  comment: 'comments',
  album: 'album',
  attached: 'attachments',
  ownPhone: null,
  echo: null,
  mediaByAddress: null,
}

/** One provider as the suite needs it: its simulator, one customer who has written, and what its sheet says. */
export type Harness<K extends ChannelKind> = Partial<Parts> & {
  /** Of the parts that no ability asks for: those this provider has not, and why. */
  lacks?: Partial<Record<Part, string>>
  kind: K
  adapter: ChannelAdapter<K>
  simulator: Simulator
  config: ChannelConfig<K>
  hookSecret: string
  /** Settings with which it can do other things than with these. */
  alsoWith?: ChannelConfig<K>[]
  /** What else of the provider's must never be kept, as its recorded payloads carry it: keys, codes that link a phone. */
  secrets?: readonly string[]
  customer: HandsetCustomer
  to: Identity[]
  /** The provider registers our address itself, or is told it here; or the session is opened, which keeps what it brings. */
  listen: (webhookUrl: string, keep: (pieces: JournalPiece[]) => void) => unknown
  /** What a provider that does not call us tells, as recorded: resolves when it is journalled. */
  tell?: (payload: unknown) => Promise<void>
  /** How the session last said that it stands. */
  standing?: () => Standing | undefined
  /** It fetches our files by itself, and takes no bytes. */
  filesByAddress?: true
  /** Its phones show *signs* as they are, so none leave. */
  hasNoMarks?: true
  /** A pressed button does not say on which message it stood. */
  pressesAreLoose?: true
  /** What is told of a message that arrived: that each was delivered and read, that it was read, or until when all was. */
  receipts?: 'each' | 'read' | 'until'
  providerIdOf: (line: Pick<Line, 'id'>) => string
  /** Where the signature covers the body: the headers that sign it. */
  sign?: (body: string) => Record<string, string>
  /** What each recorded payload must become: `describeEvents` of its events, piece by piece. */
  fixtures: Record<string, string>
  isSend: (request: { method: string; path: string; body: unknown }) => boolean
  /** Refusals in the provider's own words. */
  refusals: [name: string, fault: Fault, expected: Expected][]
  /** Where it may also be received by staying connected: the settings that say so. */
  session?: { config: ChannelConfig<K>; hangUp: () => void }
}

export const fileTypes = ['image', 'audio', 'video', 'document', 'sticker'] as const

/** The harness with our side around it: a receiver, a context, and the words the parts of the suite share. */
export const setStage = async <K extends ChannelKind>(it: Harness<K>) => {
  const { adapter, simulator, customer, to } = it
  const receiver = await startReceiver(adapter)
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const { http } = egress
  const patience = { ms: 5_000 }
  const context: ChannelContext<K> = {
    tenantId: 1,
    connectionId: v7(),
    config: it.config,
    hookSecret: it.hookSecret,
    webhookUrl: receiver.url,
    egress,
    http: (url, request) => http(url, { ...request, timeoutMs: Math.min(request?.timeoutMs ?? 20_000, patience.ms) }),
  }
  receiver.use(context)
  await it.listen(receiver.url, receiver.keep)
  afterAll(async () => {
    await simulator.close()
    await receiver.close()
  })
  beforeEach(async () => {
    patience.ms = 5_000
    simulator.faults.clear()
    Object.assign(simulator.delivery, { duplicate: 0, reorder: false, statusBeforeAnswer: false })
    await simulator.idle()
    receiver.clear()
  })

  const abilities = abilitiesOf(it.kind, it.config)
  const { supports }: { supports: readonly Capability[] } = abilities
  const can = (capability: Capability) => supports.includes(capability)
  const outbound = (more: Partial<Outbound>): Outbound => ({
    id: v7(),
    to,
    type: 'text',
    body: '',
    media: null,
    location: null,
    contacts: [],
    quotedProviderId: null,
    ...more,
  })
  const send = (more: Partial<Outbound>) => adapter.send(outbound(more), context)
  const file = (kind: (typeof fileTypes)[number]) => {
    const { bytes, mimeType, filename } = sampleMedia(kind)
    return {
      bytes,
      media: {
        name: filename ?? `arquivo.${kind}`,
        mime: mimeType,
        size: bytes.length,
        bytes: async () => bytes,
        url: () => receiver.offer(bytes, mimeType),
      },
    }
  }
  /** A recorded payload, stored as it comes. */
  const hear = async (payload: unknown) => {
    if (it.tell) await it.tell(payload)
    else expect(await it.post?.(JSON.stringify(payload), 'right')).toBe(200)
  }
  const seen = async () => {
    await simulator.idle()
    return customer.inbox.at(-1)
  }
  const written = () => receiver.events().filter((event) => event.kind === 'message')
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it should have been refused'),
      (error) => error,
    )

  return {
    it,
    adapter,
    simulator,
    customer,
    to,
    receiver,
    context,
    patience,
    abilities,
    can,
    outbound,
    send,
    file,
    hear,
    seen,
    written,
    failure,
  }
}
export type Stage<K extends ChannelKind> = Awaited<ReturnType<typeof setStage<K>>>

/** A part that an ability asks for. */
export const partOf = <K extends ChannelKind, P extends Part>({ it }: Stage<K>, part: P): Parts[P] => {
  const parts: Partial<Parts> = it
  const given = parts[part]
  if (given === undefined) expect.fail(`the harness has no "${part}", which the ability "${partNeeds[part]}" asks for`)
  return given
}

/** A test that is asked only of channels it concerns. */
export const when = (concerns: boolean): ((name: string, run: () => Promise<void> | void) => void) =>
  concerns ? (name, run) => test(name, run) : () => {}

export const secretsOf = <K extends ChannelKind>({ kind, config, hookSecret, secrets = [] }: Harness<K>): string[] => {
  const values: Record<string, unknown> = config
  return [hookSecret, ...secrets, ...secretFields(kind).flatMap((name) => String(values[name] ?? []))].filter(Boolean)
}
