import type { Device } from './wire.ts'
import { newCode } from './wire.ts'

export type CodeTimes = { codeMs: { first: number; next: number }; codes: number }
export const jidOf = (phone: string) => `${phone}@s.whatsapp.net`

/** Codes that rotate and run out, the restart after a scan, and every way of being thrown out. */
export const createLinking = ({ codeMs, codes }: CodeTimes) => {
  const linked = new Set<string>()
  const devices = new Set<Device>()
  const timers = new Map<Device, NodeJS.Timeout>()
  let pairing: { phone: string; code: string } | undefined
  let devicesMade = 0

  const idOf = ({ creds }: Device) => String((creds.me as { id?: string } | undefined)?.id)
  const isOnline = (device: Device) => linked.has(idOf(device))
  const one = () => {
    const device = [...devices].at(-1)
    if (!device) throw new Error('No device is connected')
    return device
  }
  const stopCodes = (device: Device) => {
    clearTimeout(timers.get(device))
    timers.delete(device)
  }
  const end = (device: Device, statusCode: number, message = 'Stream Errored') => {
    stopCodes(device)
    const error = { message, output: { statusCode } }
    device.tell({ 'connection.update': { connection: 'close', lastDisconnect: { error, date: new Date() } } })
    device.hangUp()
  }
  const showCodes = (device: Device, left = codes, isFirst = true) => {
    if (!left) return end(device, 408, 'QR refs attempts ended')
    device.tell({ 'connection.update': { qr: `2@${newCode()},${newCode()},${newCode()},${newCode()}` } })
    timers.set(
      device,
      setTimeout(() => showCodes(device, left - 1, false), isFirst ? codeMs.first : codeMs.next),
    )
  }
  const link = (device: Device, phone: string, name: string, lid: string | undefined) => {
    stopCodes(device)
    devicesMade += 1
    const id = `${phone}:${devicesMade}@s.whatsapp.net`
    linked.add(id)
    device.tell({
      'creds.update': {
        account: { details: Buffer.from('device') },
        me: { id, name, lid: lid && `${lid}:${devicesMade}@lid` },
        platform: 'android',
      },
    })
    device.tell({ 'connection.update': { isNewLogin: true } })
    end(device, 515, 'Stream Errored (restart required)')
  }

  return {
    devices,
    one,
    end,
    showCodes,
    online: () => [...devices].filter(isOnline),
    isOnline,
    isLinked: () => linked.size > 0,
    /** A code stands on a screen. */
    isAwaited: () => timers.size > 0,
    isSame: (one: Device, other: Device) => idOf(one) === idOf(other),
    left: (device: Device) => {
      stopCodes(device)
      devices.delete(device)
    },
    scan: (phone: string, name = 'Loja', lid?: string) => link(one(), phone, name, lid),
    askPairingCode: (device: Device, phone: string) => {
      pairing = { phone, code: newCode().slice(0, 8) }
      device.tell({ 'creds.update': { me: { id: jidOf(phone), name: '~' }, pairingCode: pairing.code } })
      return pairing.code
    },
    enterCode: (code: string, name = 'Loja') => {
      if (!pairing || pairing.code !== code) throw new Error('Wrong code')
      link(one(), pairing.phone, name, undefined)
    },
    /** A login that stays valid whoever began it: of a phone linked before this stand-in was started. */
    trust: (device: Device) => void (device.creds.account && linked.add(idOf(device))),
    forget: (device?: Device) => (device ? linked.delete(idOf(device)) : linked.clear()),
  }
}
