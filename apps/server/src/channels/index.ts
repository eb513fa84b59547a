import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { ChannelAdapter } from './adapter.ts'

type Loaders = { [K in ChannelKind]: () => Promise<ChannelAdapter<K>> }
/** Every provider by kind, loaded when it is first used; forgetting one does not compile. */
const loaders: Loaders = {
  webchat: async () => (await import('./webchat/adapter.ts')).webchat,
  waba: async () => (await import('./waba/adapter.ts')).waba,
  instagram: async () => (await import('./instagram/adapter.ts')).instagram,
  messenger: async () => (await import('./messenger/adapter.ts')).messenger,
  telegram: async () => (await import('./telegram/adapter.ts')).telegram,
  evolution: async () => (await import('./evolution/adapter.ts')).evolution,
  uazapi: async () => (await import('./uazapi/adapter.ts')).uazapi,
  wuzapi: async () => (await import('./wuzapi/adapter.ts')).wuzapi,
  zapi: async () => (await import('./zapi/adapter.ts')).zapi,
  baileys: async () => (await import('./baileys/adapter.ts')).baileys,
  email: async () => (await import('./email/adapter.ts')).email,
  sms: async () => (await import('./sms/adapter.ts')).sms,
  hub: async () => (await import('./hub/adapter.ts')).hub,
}
export const loadAdapter = <K extends ChannelKind>(kind: K): Promise<ChannelAdapter<K>> => loaders[kind]()

/** How a connection receives: its provider calls us, we stay connected to it, or neither. */
export const receivesBy = <K extends ChannelKind>(
  { hook, session, receivesBy: chosen }: ChannelAdapter<K>,
  config: Parameters<NonNullable<ChannelAdapter<K>['receivesBy']>>[0],
): 'hook' | 'session' | null => chosen?.(config) ?? (hook ? 'hook' : session ? 'session' : null)
