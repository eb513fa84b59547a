import { createInterface } from 'node:readline'
import type { Egress } from '../../kit/egress.ts'
import { EgressError } from '../../kit/egress.ts'
import { fromJson, toJson } from './json.ts'
import type { BaileysCalls, BaileysEvents, BaileysPort, PortOptions } from './port.ts'

type Told =
  | { events: BaileysEvents }
  | { answer: number; value?: unknown; error?: { message: string; statusCode?: number } }

/**
 * The same port with a stand-in behind it, which plays WhatsApp and a phone: a line of JSON for each thing that happens,
 * is asked or is answered, on a connection that began as HTTP. For rehearsals; nobody else speaks this.
 */
export const openRehearsal = async (egress: Egress, server: string, options: PortOptions): Promise<BaileysPort> => {
  const [host = '', port] = server.split(':')
  const socket = await egress.connect({ host, port: Number(port) })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let heard: (events: BaileysEvents) => void = () => {}
  let asked = 0
  let isClosed = false
  const say = (what: unknown) => socket.write(`${toJson(what)}\n`)

  const ended = () => {
    for (const one of waiting.values())
      one.reject(Object.assign(new Error('Connection Closed'), { output: { statusCode: 428 } }))
    waiting.clear()
    if (isClosed) return
    isClosed = true
    heard({ 'connection.update': { connection: 'close', lastDisconnect: { error: closedBy(428), date: new Date() } } })
  }
  socket.on('error', () => {}).on('close', ended)
  createInterface({ input: socket })
    .on('error', () => {})
    .on('line', (line) => {
      const told = fromJson(line) as Told // our own stand-in
      if ('events' in told) return hear(told.events)
      const one = waiting.get(told.answer)
      waiting.delete(told.answer)
      if (told.error)
        one?.reject(Object.assign(new Error(told.error.message), { output: { statusCode: told.error.statusCode } }))
      else one?.resolve(told.value)
    })
  const hear = (events: BaileysEvents) => {
    if (events['creds.update']) Object.assign(options.auth.creds, events['creds.update'])
    if (events['connection.update']?.connection === 'close') isClosed = true
    heard(events)
  }
  const call = (name: string, args: unknown[]) => {
    if (socket.destroyed) throw new EgressError('Connection Closed', false)
    asked += 1
    const answer = Promise.withResolvers<unknown>()
    waiting.set(asked, answer)
    say({ ask: asked, name, args })
    return answer.promise
  }

  socket.write(`GET /fio HTTP/1.1\r\nHost: ${server}\r\nConnection: Upgrade\r\nUpgrade: fio\r\n\r\n`)
  say({ hello: { creds: options.auth.creds, wantsHistory: options.wantsHistory } })
  const names = [
    'requestPairingCode',
    'logout',
    'sendMessage',
    'readMessages',
    'sendPresenceUpdate',
    'presenceSubscribe',
    'rejectCall',
    'onWhatsApp',
    'profilePictureUrl',
    'groupMetadata',
    'groupFetchAllParticipating',
    'groupCreate',
    'groupUpdateSubject',
    'groupUpdateDescription',
    'groupSettingUpdate',
    'groupParticipantsUpdate',
    'groupInviteCode',
    'groupRevokeInvite',
    'updateProfilePicture',
    'fetchAccountReachoutTimelock',
    'getLIDForPN',
    'updateMediaMessage',
  ] as const
  return {
    listen: (listener) => {
      heard = listener
    },
    close: async () => {
      isClosed = true
      socket.destroy()
    },
    calls: Object.fromEntries(
      names.map((name) => [name, async (...args: unknown[]) => call(name, args)]),
    ) as BaileysCalls, // named above, answered as the library answers
  }
}

const closedBy = (statusCode: number) =>
  Object.assign(new Error('Connection Closed'), { output: { statusCode } }) as never
