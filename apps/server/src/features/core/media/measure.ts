import { open } from 'node:fs/promises'

/** Length of a recording where the container tells it in a few bytes (Ogg, MP4 and kin, WAV); null elsewhere. */
export const durationMs = async (path: string, mime: string): Promise<number | null> => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const read = async (position: number, length: number) => {
      const start = Math.max(0, position)
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(length, size - start)), 0, undefined, start)
      return buffer.subarray(0, bytesRead)
    }
    const ms = await measure(mime, size, read)
    return ms !== null && Number.isFinite(ms) && ms > 0 && ms < 2 ** 31 ? Math.round(ms) : null
  } catch {
    return null
  } finally {
    await file.close()
  }
}

type Read = (position: number, length: number) => Promise<Buffer>

const measure = async (mime: string, size: number, read: Read): Promise<number | null> => {
  if (mime === 'audio/ogg') return oggMs(await read(0, 4_096), await read(size - 65_536, 65_536))
  if (mime === 'audio/wav') return wavMs(await read(0, 64), size)
  if (/^(audio\/mp4|video\/(mp4|quicktime|3gpp))$/.test(mime)) return mp4Ms(size, read)
  return null
}

/** The last page's granule is the number of samples; Opus always counts 48,000 a second. */
const oggMs = (head: Buffer, tail: Buffer) => {
  const page = tail.lastIndexOf('OggS')
  if (page < 0) return null
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1')
  const rate = head.includes('OpusHead') ? 48_000 : vorbis >= 0 ? head.readUInt32LE(vorbis + 12) : 0
  return (Number(tail.readBigUInt64LE(page + 6)) / rate) * 1_000
}

const wavMs = (head: Buffer, size: number) => ((size - 44) / head.readUInt32LE(28)) * 1_000

/** Walks the boxes of the file to `moov`, then to `mvhd`. */
const mp4Ms = async (size: number, read: Read) => {
  let [at, end] = [0, size]
  for (let steps = 0; at < end && steps < 200; steps += 1) {
    const head = await read(at, 16)
    const short = head.readUInt32BE(0)
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short || end - at
    const name = head.toString('latin1', 4, 8)
    if (length < 8) return null
    if (name === 'mvhd') {
      const box = await read(at + 8, 32)
      const isLong = box[0] === 1
      const scale = box.readUInt32BE(isLong ? 20 : 12)
      return ((isLong ? Number(box.readBigUInt64BE(24)) : box.readUInt32BE(16)) / scale) * 1_000
    }
    if (name === 'moov') {
      end = at + length
      at += 8
    } else at += length
  }
  return null
}
