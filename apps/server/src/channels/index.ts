import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { ChannelAdapter } from './adapter.ts'
import { telegram } from './telegram/adapter.ts'
import { waba } from './waba/adapter.ts'
import { webchat } from './webchat/adapter.ts'

/** Every provider by kind; forgetting one does not compile. */
export const channelAdapters: { [K in ChannelKind]: ChannelAdapter<K> } = { webchat, waba, telegram }
