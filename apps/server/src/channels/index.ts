import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { ChannelAdapter } from './adapter.ts'

type Loaders = { [K in ChannelKind]: () => Promise<ChannelAdapter<K>> }
/** Every provider by kind, loaded when it is first used; forgetting one does not compile. */
const loaders: Loaders = {
  webchat: async () => (await import('./webchat/adapter.ts')).webchat,
  waba: async () => (await import('./waba/adapter.ts')).waba,
  telegram: async () => (await import('./telegram/adapter.ts')).telegram,
}
export const loadAdapter = <K extends ChannelKind>(kind: K): Promise<ChannelAdapter<K>> => loaders[kind]()

/** How a connection receives: its provider calls us, we stay connected to it, or neither. */
export const receivesBy = <K extends ChannelKind>(
  { hook, session, receivesBy: chosen }: ChannelAdapter<K>,
  config: Parameters<NonNullable<ChannelAdapter<K>['receivesBy']>>[0],
): 'hook' | 'session' | null => chosen?.(config) ?? (hook ? 'hook' : session ? 'session' : null)
