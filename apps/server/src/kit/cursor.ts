import type { z } from 'zod'
import { fieldErrors } from './errors.ts'

/** A cursor is the sort key of the last row, opaque to the client. */
export const encodeCursor = (key: (string | number | null)[]) => Buffer.from(JSON.stringify(key)).toString('base64url')

const decodeCursor = (cursor: string): (string | number | null)[] => {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(key) && key.every((part) => part === null || ['string', 'number'].includes(typeof part)))
      return key
  } catch {}
  throw badCursor()
}

/** A cursor as one list wants it; anything else is a 422. */
export const readCursor = <Key extends (string | number | null)[]>(cursor: string, key: z.ZodType<Key>): Key => {
  const { data } = key.safeParse(decodeCursor(cursor))
  if (!data) throw badCursor()
  return data
}

const badCursor = () => fieldErrors({ path: 'cursor', message: 'Página inválida. Recarregue a lista.' })

/**
 * Where a list read backwards begins: after every key there can be. A statement prepared for everybody pages by `key < $3`
 * alone; with `$3 is null or` or a `coalesce` row-level security keeps it from going by the index.
 */
export const beyondAll = { seq: '9223372036854775807', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff', moment: 'infinity' }

/** Turns one row more than the page into the page. */
export const toPage = <Row>(rows: Row[], limit: number, keyOf: (row: Row) => (string | number | null)[]) => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rows.length > limit
  return { items, hasMore, nextCursor: hasMore && last !== undefined ? encodeCursor(keyOf(last)) : null }
}

/** Something to look for: a letter, a digit, a picture. Signs alone are in no index and in every list. */
export const isSearchable = (words: string) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(words)

/** Enough letters or digits together for the trigram indexes; anything else would read them from end to end. */
export const isIndexed = (words: string) =>
  /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]{2}/u.test(words)

/** Words as names are made of: letters, with what may stand between them. */
export const isOfWords = (words: string) => /\p{L}/u.test(words) && /^[\p{L}\p{N}\s'’.-]+$/u.test(words)

/** `%words%` for `LIKE norm(pattern)`: wildcards of the person are taken literally, the database folds the accents. */
export const likePattern = (words: string) => `%${words.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
