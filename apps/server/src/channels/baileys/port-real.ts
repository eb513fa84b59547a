import { Agent, type AgentOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  makeCacheableSignalKeyStore,
  makeWASocket,
} from '@whiskeysockets/baileys'
import type { Egress } from '../../kit/egress.ts'
import { log } from '../../kit/log.ts'
import type { BaileysPort, PortOptions } from './port.ts'
import { heard, heardAs } from './stanzas.ts'

/** The library itself, on a socket of ours: through the connection's proxy, and nowhere we do not go. */
export const openRealPort = async (
  egress: Egress,
  options: PortOptions,
  makeSocket = makeWASocket,
): Promise<BaileysPort> => {
  const { auth, opened, deviceName, wantsHistory, getMessage, cachedGroupMetadata } = options
  await opened.load()
  const agent = new EgressAgent(egress)
  const socket = makeSocket({
    auth: { creds: auth.creds, keys: makeCacheableSignalKeyStore(auth.keys, quiet) },
    logger: quiet,
    browser: [deviceName, 'Chrome', '120.0.0'],
    agent,
    fetchAgent: agent,
    markOnlineOnConnect: false, // or the phone stops ringing
    syncFullHistory: wantsHistory,
    shouldSyncHistoryMessage: wantsHistory ? () => true : ({ syncType }) => syncType !== fullHistory,
    shouldIgnoreJid: (jid) => /@(broadcast|newsletter)$/.test(jid),
    makeSignalRepository: opened.within(DEFAULT_CONNECTION_CONFIG.makeSignalRepository),
    getMessage,
    cachedGroupMetadata,
  })
  const line = opened.line()
  for (const name of heard) {
    const listeners = socket.ws.listeners(name)
    socket.ws.removeAllListeners(name)
    socket.ws.on(name, (stanza: BinaryNode) =>
      line(stanza, () => {
        opened.see(stanza)
        for (const listener of listeners) listener.call(socket.ws, stanza)
      }),
    )
  }
  socket.ev.on('connection.update', ({ connection }) => {
    if (connection !== 'open') return
    for (const stanza of opened.left())
      socket.ws.emit(heardAs(stanza), { ...stanza, attrs: { ...stanza.attrs, offline: '1' } })
  })
  return {
    listen: (told) => {
      socket.ev.process(async (events) => told(events))
    },
    close: async () => {
      await Promise.race([socket.end(undefined), sleep(farewellMs, undefined, { ref: false })])
      agent.destroy()
    },
    calls: {
      requestPairingCode: (phone) => socket.requestPairingCode(phone),
      logout: () => socket.logout(),
      sendMessage: (jid, content, more) => socket.sendMessage(jid, content, more),
      readMessages: (keys) => socket.readMessages(keys),
      sendPresenceUpdate: (type, jid) => socket.sendPresenceUpdate(type, jid),
      presenceSubscribe: (jid) => socket.presenceSubscribe(jid),
      rejectCall: (id, from) => socket.rejectCall(id, from),
      onWhatsApp: (...phones) => socket.onWhatsApp(...phones),
      profilePictureUrl: (jid, type) => socket.profilePictureUrl(jid, type),
      groupMetadata: (jid) => socket.groupMetadata(jid),
      groupFetchAllParticipating: () => socket.groupFetchAllParticipating(),
      groupCreate: (subject, participants) => socket.groupCreate(subject, participants),
      groupUpdateSubject: (jid, subject) => socket.groupUpdateSubject(jid, subject),
      groupUpdateDescription: (jid, description) => socket.groupUpdateDescription(jid, description),
      groupSettingUpdate: (jid, setting) => socket.groupSettingUpdate(jid, setting),
      groupParticipantsUpdate: (jid, participants, action) => socket.groupParticipantsUpdate(jid, participants, action),
      groupInviteCode: (jid) => socket.groupInviteCode(jid),
      groupRevokeInvite: (jid) => socket.groupRevokeInvite(jid),
      updateProfilePicture: (jid, picture) => socket.updateProfilePicture(jid, picture),
      fetchAccountReachoutTimelock: () => socket.fetchAccountReachoutTimelock(),
      getLIDForPN: (pn) => socket.signalRepository.lidMapping.getLIDForPN(pn),
      updateMediaMessage: (message) => socket.updateMediaMessage(message),
    },
  }
}

/** So long a line that may be dead already is waited for. */
const farewellMs = 2_000

/** `proto.HistorySync.HistorySyncType.FULL` */
const fullHistory = 2

/** Node asks an agent for its sockets; this one asks our way out. */
class EgressAgent extends Agent {
  readonly #egress: Egress
  readonly #open = new Set<Duplex>()
  constructor(egress: Egress) {
    super({ keepAlive: false })
    this.#egress = egress
  }
  override destroy() {
    for (const one of this.#open) one.destroy()
    super.destroy()
  }
  override createConnection(
    options: AgentOptions & { host?: string; hostname?: string; servername?: string },
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const host = options.host ?? options.hostname ?? ''
    this.#egress.connect({ host, port: Number(options.port) || 443 }, { servername: options.servername || host }).then(
      (socket) => {
        this.#open.add(socket)
        socket.once('close', () => this.#open.delete(socket))
        done?.(null, socket)
      },
      // Node takes an error alone; its types ask for a stream beside it.
      (error) => (done as ((error: Error) => void) | undefined)?.(error),
    )
  }
}

/** The library tells a great deal, keys and messages among it: only that something went wrong is kept. */
const quiet = {
  level: 'silent',
  child: () => quiet,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (_told: unknown, text?: string) => log.debug({ library: 'baileys' }, text ?? 'error'),
}
