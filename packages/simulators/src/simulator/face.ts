import { crc32, deflateSync } from 'node:zlib'

const side = 160

/** A portrait as a PNG, head and shoulders before a plain wall: the same for the same name. */
export const faceOf = (name: string): Buffer => {
  const seed = crc32(name)
  const colour = (shift: number, from: number, range: number) => from + ((seed >>> shift) & 0xff) * (range / 255)
  const wall = [colour(0, 120, 120), colour(8, 120, 120), colour(16, 120, 120)]
  const shirt = [colour(4, 30, 130), colour(12, 30, 130), colour(20, 30, 130)]
  const skin = [colour(2, 120, 120), colour(2, 80, 110), colour(2, 60, 100)]
  const rows = Buffer.alloc(side * (1 + side * 3))
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const within = (cx: number, cy: number, rx: number, ry: number) =>
        ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1
      const paint = within(80, 66, 30, 36) ? skin : within(80, 160, 62, 58) ? shirt : wall
      rows.set(paint, y * (1 + side * 3) + 1 + x * 3)
    }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(side, 0)
  size.writeUInt32BE(side, 4)
  size.set([8, 2], 8) // eight bits each of red, green and blue
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
