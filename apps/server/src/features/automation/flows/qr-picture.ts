import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** Pixels of a square of the code: what phones read from a screen an arm's length away. */
const scale = 8
/** Squares around it that stay white, as readers expect. */
const border = 4

/** A QR code as a PNG, black on white. */
export const qrPicture = (text: string): Buffer => {
  const { data, size } = encode(text, { ecc: 'M', border })
  const side = size * scale
  const rows = data.map((row) => {
    // Each row begins with its filter, here none; one byte a pixel.
    const line = Buffer.alloc(side + 1)
    for (const [x, isDark] of row.entries()) line.fill(isDark ? 0 : 255, 1 + x * scale, 1 + (x + 1) * scale)
    return line
  })
  const pixels = Buffer.concat(rows.flatMap((row) => Array<Buffer>(scale).fill(row)))
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 8 // bits a pixel; the rest is zero: grey, deflated, not interlaced
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (name: string, body: Buffer) => {
  const named = Buffer.concat([Buffer.from(name), body])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
