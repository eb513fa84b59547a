import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { ProviderGlyph } from './provider-glyph.tsx'

export const ChannelMark = ({ channel, size }: { channel: ChannelKind; size: number }) => (
  <ProviderGlyph glyph={channels[channel].glyph} size={size} />
)
