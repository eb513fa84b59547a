import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const side = 33
/** A picture that looks like a code, another one each time, as gateways send it: a PNG in a data address. */
export const newSquare = (): string => {
  const row = (side + 7) >> 3
  const pixels = Buffer.concat(Array.from({ length: side }, () => Buffer.concat([Buffer.of(0), randomBytes(row)])))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1 // one bit of grey
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const png = Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND')])
  return `data:image/png;base64,${png.toString('base64')}`
}

const chunk = (type: string, content = Buffer.alloc(0)) => {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
