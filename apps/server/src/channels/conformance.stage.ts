import '../../test/kit.ts' // an environment of its own, before anything reads it
import type { Capability } from '@balcao/contract/channels/abilities.ts'
import { abilitiesOf, type ChannelConfig, type ChannelKind, secretFields } from '@balcao/contract/channels/index.ts'
import type { SentTemplate } from '@balcao/contract/channels/templates.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { HandsetCustomer, Line } from '@balcao/simulators/handset.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import type { Fault, Simulator } from '@balcao/simulators/simulator.ts'
import { v7 } from 'uuid'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createEgress } from '../kit/egress.ts'
import type { ChannelAdapter, ChannelContext, ChannelError, Outbound } from './adapter.ts'
import { startReceiver } from './conformance.receiver.ts'

export type Expected = Partial<Pick<ChannelError, 'outcome' | 'retryAfterMs' | 'isUnreachable' | 'isConnectionBroken'>>

/** One provider as the suite needs it: its simulator, one customer who has written, and what its sheet says. */
export type Harness<K extends ChannelKind> = {
  kind: K & ('waba' | 'telegram')
  adapter: ChannelAdapter<K>
  simulator: Simulator
  config: ChannelConfig<K>
  hookSecret: string
  customer: HandsetCustomer
  to: Identity[]
  /** The provider registers our address itself, or is told it here. */
  listen: (webhookUrl: string) => void
  providerIdOf: (line: Pick<Line, 'id'>) => string
  /** Posts a body with the right signature, none, or another. */
  post: (body: string, signature: 'right' | 'missing' | 'wrong') => Promise<number | undefined>
  /** Where the signature covers the body: the headers that sign it. */
  sign?: (body: string) => Record<string, string>
  /** What each recorded payload must become: `describeEvents` of its events, piece by piece. */
  fixtures: Record<string, string>
  isSend: (request: { method: string; path: string; body: unknown }) => boolean
  /** An approved template of this account with values, and the text a customer reads of it. */
  template?: SentTemplate & { shown: string }
  /** Refusals in the provider's own words. */
  refusals: [name: string, fault: Fault, expected: Expected][]
  revoke: () => () => void
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
  it.listen(receiver.url)
  afterAll(async () => {
    await simulator.close()
    await receiver.close()
  })
  beforeEach(async () => {
    patience.ms = 5_000
    simulator.faults.clear()
    Object.assign(simulator.delivery, { duplicate: 0, reorder: false })
    await simulator.idle()
    receiver.clear()
  })

  const { supports }: { supports: readonly Capability[] } = abilitiesOf(it.kind, it.config)
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
      media: { name: filename ?? `arquivo.${kind}`, mime: mimeType, size: bytes.length, bytes: async () => bytes },
    }
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
    can,
    outbound,
    send,
    file,
    seen,
    written,
    failure,
  }
}
export type Stage<K extends ChannelKind> = Awaited<ReturnType<typeof setStage<K>>>

/** A test that is asked only of channels it concerns. */
export const when = (concerns: boolean): ((name: string, run: () => Promise<void> | void) => void) =>
  concerns ? (name, run) => test(name, run) : () => {}

export const secretsOf = <K extends ChannelKind>({ kind, config, hookSecret }: Harness<K>): string[] => {
  const values: Record<string, unknown> = config
  return [hookSecret, ...secretFields(kind).flatMap((name) => String(values[name] ?? []))].filter(Boolean)
}
