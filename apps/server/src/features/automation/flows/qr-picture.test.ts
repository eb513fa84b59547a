import sharp from 'sharp'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrPicture } from './qr-picture.ts'

test('the picture is a PNG of the code, square by square, with its white border', async () => {
  const text =
    '00020126360014br.gov.bcb.pix0114+5511999990000520400005303986540510.005802BR5904LOJA6009SAO PAULO6304ABCD'
  const { data, info } = await sharp(qrPicture(text)).greyscale().raw().toBuffer({ resolveWithObject: true })
  const squares = encode(text, { ecc: 'M', border: 4 })
  expect(info).toMatchObject({ format: 'raw', width: squares.size * 8, height: squares.size * 8 })
  const isDark = (x: number, y: number) =>
    data[(y * 8 + 4) * info.width * info.channels + (x * 8 + 4) * info.channels] === 0
  expect(squares.data.map((row, y) => row.map((_, x) => isDark(x, y)))).toEqual(squares.data)
})
