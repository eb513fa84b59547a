import { expect, test } from 'vitest'
import { crcOf, oggOf, opusHead, samplesOf } from './ogg.ts'
import { opusFromWebm } from './webm.ts'

/** Pages of an Ogg file, read by the RFC and by none of our own code but the checksum. */
const pagesOf = (bytes: Uint8Array) => {
  const pages = []
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  for (let at = 0; at < bytes.length; ) {
    expect(new TextDecoder().decode(bytes.subarray(at, at + 4))).toBe('OggS')
    const lacing = [...bytes.subarray(at + 27, at + 27 + (bytes[at + 26] ?? 0))]
    const end = at + 27 + lacing.length + lacing.reduce((sum, size) => sum + size, 0)
    const packets: number[] = []
    let size = 0
    for (const piece of lacing) {
      size += piece
      if (piece === 255) continue
      packets.push(size)
      size = 0
    }
    const blanked = bytes.slice(at, end)
    blanked.fill(0, 22, 26)
    pages.push({
      flags: bytes[at + 5],
      granule: Number(view.getBigUint64(at + 6, true)),
      serial: view.getUint32(at + 14, true),
      number: view.getUint32(at + 18, true),
      isSound: view.getUint32(at + 22, true) === bitwiseCrc(blanked),
      packets,
      open: size,
      body: bytes.subarray(at + 27 + lacing.length, end),
    })
    at = end
  }
  return pages
}
/** The checksum bit by bit, as RFC 3533 describes it. */
const bitwiseCrc = (bytes: Uint8Array) => {
  let crc = 0
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const carry = ((crc >>> 31) & 1) ^ ((byte >> bit) & 1)
      crc = (crc << 1) ^ (carry ? 0x04c11db7 : 0)
    }
  }
  return crc >>> 0
}
/** A packet of one 20 ms frame (config 31, one frame). */
const packet = (length: number) => Uint8Array.from({ length }, (_, at) => (at === 0 ? 31 << 3 : at % 251))
const head = opusHead({ channels: 1, preSkip: 312, sampleRate: 48_000 })

test('the checksum is that of RFC 3533', () => {
  expect(crcOf(new TextEncoder().encode('123456789'))).toBe(0x89a1897f)
  expect(crcOf(packet(1_000))).toBe(bitwiseCrc(packet(1_000)))
})

test('a stream becomes header pages and data pages of a second each, the last one marked', () => {
  const packets = Array.from({ length: 120 }, (_, at) => packet(100 + at))
  const pages = pagesOf(oggOf({ head, packets }, 7))
  expect(pages.map((page) => page.flags)).toEqual([2, 0, 0, 0, 4])
  expect(pages.map((page) => page.number)).toEqual([0, 1, 2, 3, 4])
  expect(pages.every((page) => page.isSound && page.serial === 7 && page.open === 0)).toBe(true)
  expect(pages.map((page) => page.granule)).toEqual([0, 0, 48_000, 96_000, 115_200])
  expect(new TextDecoder().decode(pages[0]?.body.subarray(0, 8))).toBe('OpusHead')
  expect(new TextDecoder().decode(pages[1]?.body.subarray(0, 8))).toBe('OpusTags')
  expect(pages.slice(2).flatMap((page) => page.packets)).toEqual(packets.map(({ length }) => length))
})

test('packets of 255 bytes and of many pieces keep their limits', () => {
  const sizes = [254, 255, 256, 510, 1_275, 1]
  const pages = pagesOf(oggOf({ head, packets: sizes.map(packet) }))
  expect(pages.slice(2).flatMap((page) => page.packets)).toEqual(sizes)
  const large = pagesOf(oggOf({ head, packets: Array.from({ length: 100 }, () => packet(1_275)) }))
  expect(large.slice(2).flatMap((page) => page.packets)).toHaveLength(100)
  expect(large.every((page) => page.open === 0 && page.isSound)).toBe(true)
})

test('the length of a packet follows from its first byte', () => {
  const of = (config: number, code: number, second = 0) => samplesOf(Uint8Array.of((config << 3) | code, second))
  expect(of(31, 0)).toBe(960) // CELT 20 ms
  expect(of(16, 0)).toBe(120) // CELT 2.5 ms
  expect(of(3, 0)).toBe(2_880) // SILK 60 ms
  expect(of(12, 0)).toBe(480) // hybrid 10 ms
  expect(of(31, 1)).toBe(1_920) // two frames
  expect(of(31, 3, 3)).toBe(2_880) // three frames
})

// A recording as Chrome writes it: sizes of the segment and of the clusters unknown.
const element = (id: number[], ...parts: (Uint8Array | number[])[]) => {
  const content = parts.flatMap((part) => [...part])
  return [
    ...id,
    0x10 | (content.length >> 24),
    (content.length >> 16) & 255,
    (content.length >> 8) & 255,
    content.length & 255,
    ...content,
  ]
}
const unknown = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
const text = (words: string) => new TextEncoder().encode(words)
const track = (number: number, codec: string, secret: Uint8Array) =>
  element([0xae], element([0xd7], [number]), element([0x86], text(codec)), element([0x63, 0xa2], secret))
const block = (number: number, data: Uint8Array, id = [0xa3]) => element(id, [0x80 | number, 0, 0, 0x80], data)
const recording = (...clusters: number[][]) =>
  Uint8Array.from([
    ...element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text('webm'))),
    ...[0x18, 0x53, 0x80, 0x67, ...unknown],
    ...element([0x15, 0x49, 0xa9, 0x66], element([0x4d, 0x80], text('Chrome'))),
    ...element([0x16, 0x54, 0xae, 0x6b], track(1, 'V_VP8', text('x')), track(2, 'A_OPUS', head)),
    ...clusters.flatMap((blocks) => [0x1f, 0x43, 0xb6, 0x75, ...unknown, ...element([0xe7], [0]), ...blocks]),
  ])

test('the packets of a WebM recording come out whole and in order, those of other tracks left out', () => {
  const webm = recording(
    [...block(2, packet(10)), ...block(1, packet(99)), ...block(2, packet(300))],
    [...element([0xa0], block(2, packet(20), [0xa1]))],
  )
  const stream = opusFromWebm(webm)
  expect(stream.head).toEqual(head)
  expect(stream.packets).toEqual([packet(10), packet(300), packet(20)])
})

test('a recording that was cut off keeps what is whole; what is none is refused', () => {
  const webm = recording([...block(2, packet(10)), ...block(2, packet(300))])
  expect(opusFromWebm(webm.subarray(0, webm.length - 5)).packets).toEqual([packet(10)])
  expect(() => opusFromWebm(text('not a recording at all'))).toThrow()
  expect(() => opusFromWebm(new Uint8Array())).toThrow('No Opus track')
})
