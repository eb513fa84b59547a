import { expect, test } from 'vitest'
import { z } from 'zod'
import { readCursor, toPage } from './cursor.ts'

const key = z.tuple([z.iso.datetime(), z.int()])
const rows = [
  { at: '2026-01-02T00:00:00.000Z', n: 2 },
  { at: '2026-01-01T00:00:00.000Z', n: 1 },
]

test('what a page ends with is where the next begins', () => {
  const page = toPage(rows, 1, (row) => [row.at, row.n])

  expect(page).toMatchObject({ items: [rows[0]], hasMore: true })
  expect(readCursor(page.nextCursor ?? '', key)).toEqual(['2026-01-02T00:00:00.000Z', 2])
  expect(toPage(rows, 2, (row) => [row.at, row.n]).nextCursor).toBeNull()
})

test.each([
  ['nothing', ''],
  ['no cursor at all', 'página 2'],
  ['the cursor of another list', Buffer.from('["Ana","x"]').toString('base64url')],
])('%s is refused with what to do', (_, cursor) => {
  expect(() => readCursor(cursor, key)).toThrow(
    expect.objectContaining({
      code: 'ERR_VALIDATION',
      details: [{ path: 'cursor', message: 'Página inválida. Recarregue a lista.' }],
    }),
  )
})
