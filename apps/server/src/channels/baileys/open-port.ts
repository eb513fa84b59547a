import type { GroupMetadata, WAMessageKey } from '@whiskeysockets/baileys'
import type { SessionHost } from '../adapter.ts'
import { messageKeyOf } from './keys.ts'
import type { Login } from './login.ts'
import type { BaileysPort, PortOptions } from './port.ts'
import type { Context } from './session.ts'

/** WhatsApp itself, or the stand-in of a rehearsal; the library is loaded by whoever needs it first. */
export const openPort = async (context: Context, host: SessionHost, login: Login): Promise<BaileysPort> => {
  const { egress, config } = context
  const groups = groupsOf(context.connectionId)
  const { proto } = await import('@whiskeysockets/baileys')
  const options: PortOptions = {
    auth: login.auth,
    opened: login.opened,
    deviceName: config.deviceName,
    wantsHistory: host.history !== undefined,
    getMessage: async (key: WAMessageKey) => {
      const piece: unknown = await host.recall(messageKeyOf(key))
      const message: unknown = Object(Object(piece).message).message
      return message ? proto.Message.fromObject(Object(message)) : undefined
    },
    cachedGroupMetadata: async (jid) => groups.get(jid),
  }
  if (config.server) return (await import('./port-rehearsal.ts')).openRehearsal(egress, config.server, options)
  return (await import('./port-real.ts')).openRealPort(egress, options)
}

/** What is known of groups: WhatsApp is asked of each once, and told us of every change. */
const known = new Map<string, Map<string, GroupMetadata>>()
export const groupsOf = (connectionId: string): Map<string, GroupMetadata> => {
  const groups = known.get(connectionId) ?? new Map<string, GroupMetadata>()
  known.set(connectionId, groups)
  return groups
}
