import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { ProviderGlyph } from './provider-glyph.tsx'

/** The mark of the channel a conversation comes from. */
export const ChannelGlyph = ({ channel, size = 16 }: { channel: ChannelKind; size?: number }) => (
  <ProviderGlyph glyph={channels[channel].glyph} size={size} />
)
