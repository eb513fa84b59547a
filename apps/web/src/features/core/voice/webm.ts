/** An Opus stream as containers carry it: its header and its packets. */
export type OpusStream = { head: Uint8Array; packets: Uint8Array[] }

// EBML ids of what a recording of a browser consists of (matroska.org/technical/elements.html).
const ids = {
  segment: 0x18538067,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  cluster: 0x1f43b675,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const
/** Stepped into: their children are read one after the other, so that a size nobody knew while recording is no matter. */
const opened: readonly number[] = [ids.segment, ids.tracks, ids.trackEntry, ids.cluster, ids.blockGroup]

type Track = { number: number; codec: string; head: Uint8Array | null }

/** The Opus track of a WebM recording. Throws when there is none. */
export const opusFromWebm = (bytes: Uint8Array): OpusStream => {
  const tracks: Track[] = []
  const blocks: { track: number; packet: Uint8Array }[] = []
  for (const { id, content } of elements(bytes)) {
    const track = tracks.at(-1)
    if (id === ids.trackEntry) tracks.push({ number: 0, codec: '', head: null })
    else if (id === ids.trackNumber && track) track.number = content.reduce((sum, byte) => sum * 256 + byte, 0)
    else if (id === ids.codecId && track) track.codec = new TextDecoder().decode(content).replace(/\0+$/, '')
    else if (id === ids.codecPrivate && track) track.head = content
    else if (id === ids.block || id === ids.simpleBlock) blocks.push(blockOf(content))
  }
  const opus = tracks.find((track) => track.codec === 'A_OPUS')
  if (!opus?.head) throw new Error('No Opus track in the recording')
  const packets = blocks.filter(({ track }) => track === opus.number).map(({ packet }) => packet)
  return { head: opus.head, packets }
}

function* elements(bytes: Uint8Array): Generator<{ id: number; content: Uint8Array }> {
  for (let at = 0; at < bytes.length; ) {
    const id = numberAt(bytes, at, { keepsMarker: true })
    const size = numberAt(bytes, at + id.length, { keepsMarker: false })
    const start = at + id.length + size.length
    if (opened.includes(id.value)) {
      yield { id: id.value, content: new Uint8Array() }
      at = start
      continue
    }
    if (size.isUnknown) throw new Error('An element of the recording has no size')
    // The last block of a recording that was cut off is left out.
    if (start + size.value > bytes.length) return
    yield { id: id.value, content: bytes.subarray(start, start + size.value) }
    at = start + size.value
  }
}

/** A number whose leading zero bits tell how many bytes it has. */
const numberAt = (bytes: Uint8Array, at: number, { keepsMarker }: { keepsMarker: boolean }) => {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 8) throw new Error('Not a WebM recording')
  const marker = 0x80 >> (length - 1)
  let value = keepsMarker ? first : first & (marker - 1)
  let isUnknown = (first & (marker - 1)) === marker - 1
  for (let step = 1; step < length; step += 1) {
    const byte = bytes[at + step] ?? 0
    value = value * 256 + byte
    isUnknown &&= byte === 0xff
  }
  return { value, length, isUnknown }
}

/** Track number, two bytes of time, one of flags, then the packet. Browsers put one packet in each block. */
const blockOf = (content: Uint8Array) => {
  const track = numberAt(content, 0, { keepsMarker: false })
  const flags = content[track.length + 2] ?? 0
  if ((flags & 0x06) !== 0) throw new Error('Laced blocks are not expected in a recording')
  return { track: track.value, packet: content.subarray(track.length + 3) }
}
