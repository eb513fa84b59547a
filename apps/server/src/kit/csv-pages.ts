import { Readable } from 'node:stream'
import { type CsvColumn, csvBody, csvHead } from './csv.ts'
import { pageTurn } from './fair-turn.ts'

const exportLimit = 50_000
const pageSize = 1_000

type Page<Row> = { items: Row[]; nextCursor: string | null }
type Asked = { cursor: string | undefined; limit: number; pageNumber: number; count: false }

/**
 * A long list as a file, page after page in its company's turn: it holds neither the memory nor a transaction. The first
 * page is read before the answer begins, so that what is wrong with the question is still a refusal.
 */
export const csvPages = async <Row>(
  tenantId: number,
  columns: readonly CsvColumn<Row>[],
  read: (page: Asked) => Promise<Page<Row>>,
): Promise<Readable> => {
  const readPage = (cursor?: string) =>
    pageTurn(tenantId, () => read({ cursor, limit: pageSize, pageNumber: 1, count: false }))
  return Readable.from(lines(columns, await readPage(), readPage))
}

async function* lines<Row>(
  columns: readonly CsvColumn<Row>[],
  first: Page<Row>,
  readPage: (cursor: string) => Promise<Page<Row>>,
) {
  yield csvHead(columns)
  let sent = 0
  for (let page = first; ; page = await readPage(page.nextCursor)) {
    yield csvBody(columns, page.items)
    sent += page.items.length
    if (!page.nextCursor || sent >= exportLimit) return
  }
}
