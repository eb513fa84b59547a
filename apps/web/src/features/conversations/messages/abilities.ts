import type { Capability, Abilities as Known } from '@balcao/contract/channels/abilities.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { windowHoursOf } from '@balcao/contract/channels/window.ts'
import type { MediaKind } from '@balcao/contract/core/media.ts'
import { queryOptions } from '@tanstack/react-query'

/** What a conversation's channel is called, and what its connection can do. */
export type Channel = Known & { label: string }
/** The channels' definitions: they come with their validation, so they load beside the conversation, not before it. */
export const channelsQuery = queryOptions({
  queryKey: ['channels'],
  queryFn: async () => {
    const { abilitiesOf, channelKinds, channels } = await import('@balcao/contract/channels/index.ts')
    const told = channelKinds.map((kind) => [kind, { label: channels[kind].label, ...abilitiesOf(kind, {}) }])
    return Object.fromEntries(told) as Record<ChannelKind, Channel> // every kind is named
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Why something cannot be done on a channel, said of the channel by its name. */
const lacks = {
  files: 'não leva arquivos.',
  image: 'não leva fotos.',
  audio: 'não leva áudios.',
  location: 'não leva localizações: envie o endereço como texto.',
  contact: 'não leva cartões de contato: envie o telefone como texto.',
  poll: 'não tem enquetes: use Botões ou lista.',
  template: 'não usa modelos aprovados: escreva livremente.',
  reply: 'não permite responder citando a mensagem.',
  reaction: 'não tem reações.',
  edit: 'não permite editar o que já foi enviado.',
  delete: 'não permite apagar o que já foi enviado.',
} as const
export type Lack = keyof typeof lacks

/** What the composer and the bubbles offer on a channel; of what it cannot do, `why` tells the reason. */
export const abilitiesOf = (channel: Channel | undefined) => {
  const supports: readonly Capability[] = channel?.supports ?? []
  const can = (capability: Capability) => supports.includes(capability)
  const files = (['image', 'audio', 'video', 'document'] as const).filter(can)
  const has = (what: Lack) => {
    if (what === 'files') return files.length > 0
    return can(what)
  }
  return {
    channel,
    /** The reason, or null where it can be done. */
    why: (what: Lack) => (has(what) ? null : `${channel?.label ?? 'Este canal'} ${lacks[what]}`),
    files,
    /** The customer sees who writes: a signature would say it twice. */
    showsAuthor: channel?.showsAuthor ?? false,
    textLimits: channel?.textLimits ?? { text: 4_096, caption: 1_024 },
    /** Free text is delivered only so long after what the customer wrote last. */
    windowHours: channel?.windowHours ?? null,
    /** Which reactions may be given; null means any. */
    reactions: channel?.reactions ?? null,
    canMention: can('mentions'),
    canAttach: files.length > 0,
    canUseTemplates: can('template'),
    showsTyping: can('typing'),
  }
}
export type Abilities = ReturnType<typeof abilitiesOf>

/** How a file travels: as what it is, else as a document, else not at all. */
export const sendableAs = (kind: MediaKind, { files }: Pick<Abilities, 'files'>): MediaKind | null => {
  if (kind !== 'sticker' && files.includes(kind)) return kind
  return files.includes('document') ? 'document' : null
}

/** What the file picker lets through. */
export const acceptOf = ({ files }: Pick<Abilities, 'files'>): string | undefined =>
  files.includes('document') ? undefined : files.map((kind) => `${kind}/*`).join(',')

/** When free text may no longer be sent; null where the channel knows no window. */
export const windowEnd = (channel: Channel | undefined, lastInboundAt: string | null): number | null => {
  const windowHours = channel && windowHoursOf(channel, true)
  return windowHours ? (lastInboundAt ? Date.parse(lastInboundAt) : 0) + windowHours * 3_600_000 : null
}

/** Milliseconds in which free text may still be sent; null where the channel knows no window. */
export const windowLeft = (channel: Channel | undefined, lastInboundAt: string | null, now: number): number | null => {
  const endsAt = windowEnd(channel, lastInboundAt)
  return endsAt === null ? null : endsAt - now
}
