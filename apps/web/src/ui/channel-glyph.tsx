import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { lazy, Suspense } from 'react'

/** The definitions of the channels bring the validation library, which the first screen does not wait for. */
const ChannelMark = lazy(async () => ({ default: (await import('./channel-mark.tsx')).ChannelMark }))

/** The mark of the channel a conversation comes from. */
export const ChannelGlyph = ({ channel, size = 16 }: { channel: ChannelKind; size?: number }) => (
  <Suspense fallback={<span style={{ display: 'inline-block', width: size, height: size, flex: 'none' }} />}>
    <ChannelMark channel={channel} size={size} />
  </Suspense>
)
