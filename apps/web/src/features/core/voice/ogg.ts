import type { OpusStream } from './webm.ts'

// RFC 3533 (pages) and RFC 7845 (Opus in Ogg).
const longestPageMs = 1_000
const mostSegments = 255
const beginsStream = 0x02
const endsStream = 0x04

/** Samples of an Opus packet at 48 kHz, as its first byte tells (RFC 6716 §3.1). */
export const samplesOf = (packet: Uint8Array): number => {
  const first = packet[0] ?? 0
  const config = first >> 3
  const frameMs =
    config < 12 ? [10, 20, 40, 60][config & 3] : config < 16 ? [10, 20][config & 1] : [2.5, 5, 10, 20][config & 3]
  const code = first & 3
  const frames = code === 0 ? 1 : code === 3 ? (packet[1] ?? 0) & 0x3f : 2
  return (frameMs ?? 0) * 48 * frames
}

/** An Ogg file with an Opus stream in it: what phones send as a voice message. */
export const oggOf = ({ head, packets }: OpusStream, serial = randomSerial()): Uint8Array<ArrayBuffer> => {
  const pages = [
    page({ packets: [head], granule: 0, flags: beginsStream, serial, number: 0 }),
    page({ packets: [tags()], granule: 0, flags: 0, serial, number: 1 }),
  ]
  let granule = 0
  const groups = grouped(packets)
  for (const [index, group] of groups.entries()) {
    granule += group.reduce((sum, packet) => sum + samplesOf(packet), 0)
    const flags = index === groups.length - 1 ? endsStream : 0
    pages.push(page({ packets: group, granule, flags, serial, number: pages.length }))
  }
  return joined(pages)
}

/** Packets that share a page: no more than a second, and no more pieces than a page can list. */
const grouped = (packets: readonly Uint8Array[]): Uint8Array[][] => {
  const groups: Uint8Array[][] = []
  let segments = 0
  let samples = 0
  for (const packet of packets) {
    const needed = Math.floor(packet.length / 255) + 1
    const length = samplesOf(packet)
    const last = groups.at(-1)
    if (last && segments + needed <= mostSegments && samples + length <= longestPageMs * 48) {
      last.push(packet)
      segments += needed
      samples += length
    } else {
      groups.push([packet])
      segments = needed
      samples = length
    }
  }
  return groups.length ? groups : [[]]
}

type Page = { packets: Uint8Array[]; granule: number; flags: number; serial: number; number: number }
const page = ({ packets, granule, flags, serial, number }: Page): Uint8Array<ArrayBuffer> => {
  const lacing = packets.flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255])
  const header = new Uint8Array(27 + lacing.length)
  const view = new DataView(header.buffer)
  header.set([0x4f, 0x67, 0x67, 0x53, 0, flags]) // OggS, version 0
  view.setBigUint64(6, BigInt(granule), true)
  view.setUint32(14, serial, true)
  view.setUint32(18, number, true)
  header[26] = lacing.length
  header.set(lacing, 27)
  const whole = joined([header, ...packets])
  new DataView(whole.buffer).setUint32(22, crcOf(whole), true) // over the page with zeros in its place
  return whole
}

/** OpusTags: who wrote it, and no comments. */
const tags = () => {
  const vendor = new TextEncoder().encode('Balcao')
  const packet = new Uint8Array(8 + 4 + vendor.length + 4)
  packet.set(new TextEncoder().encode('OpusTags'))
  new DataView(packet.buffer).setUint32(8, vendor.length, true)
  packet.set(vendor, 12)
  return packet
}

/** OpusHead for a stream whose encoder gives none (RFC 7845 §5.1). */
export const opusHead = ({ channels, preSkip, sampleRate }: Record<'channels' | 'preSkip' | 'sampleRate', number>) => {
  const head = new Uint8Array(19)
  const view = new DataView(head.buffer)
  head.set(new TextEncoder().encode('OpusHead'))
  head[8] = 1
  head[9] = channels
  view.setUint16(10, preSkip, true)
  view.setUint32(12, sampleRate, true)
  return head
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value
})
export const crcOf = (bytes: Uint8Array): number => {
  let crc = 0
  for (const byte of bytes) crc = (crc << 8) ^ (table[((crc >>> 24) ^ byte) & 0xff] ?? 0)
  return crc >>> 0
}

const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
const randomSerial = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 1
