import { Readable } from 'node:stream'
import type { ImportRowView, importRowsQuery } from '@balcao/contract/contacts/imports.ts'
import type { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CsvColumn, csvBody, csvHead } from '../../../kit/csv.ts'
import { pageTurn } from '../../../kit/fair-turn.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { findImport } from './import-rows.ts'
import { presentRow } from './present-row.ts'
import { readShown, type ShownRow } from './rows.queries.ts'

/** Rows as they came, or of one outcome: what is to be, or became, of each. */
export const listImportRows = async (
  actor: Actor,
  importId: string,
  { limit, ...asked }: z.output<typeof importRowsQuery>,
): Promise<{ items: ImportRowView[]; hasMore: boolean }> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await findImport(tx, importId)
    const rows = await readShown(tx, importId, { ...asked, limit: limit + 1 })
    const lanes = await laneNames(tx)
    return { items: rows.slice(0, limit).map((row) => presentRow(row, directory, lanes)), hasMore: rows.length > limit }
  })
}
const laneNames = async (tx: Tx) =>
  new Map((await tx.rows<{ id: string; name: string }>(lanes, [tx.tenantId])).map(({ id, name }) => [id, name]))
const lanes: Prepared = { name: 'import_lanes', text: 'select id, name from lanes where tenant_id = $1' }

const pageSize = 1_000
/** Every row of which something did not come in, as it stood in the file, and why: to be mended and sent again. */
export const problemFile = async ({ tenantId }: Actor, importId: string): Promise<Readable> => {
  const { headings, mapping } = await withTenant(tenantId, (tx) => findImport(tx, importId))
  const columns: CsvColumn<ShownRow>[] = [
    ...mapping.map((_, at) => ({
      label: headings[at] || `Coluna ${at + 1}`,
      value: (row: ShownRow) => row.cells[at] ?? '',
    })),
    { label: 'Linha', value: ({ line }) => line },
    { label: 'Situação', value: ({ outcome }) => (outcome && outcomeWords[outcome]) ?? '' },
    { label: 'Motivo', value: ({ reason }) => reason },
  ]
  const read = (after: number) =>
    pageTurn(tenantId, () =>
      withTenant(tenantId, (tx) => readShown(tx, importId, { outcome: 'problem', after, limit: pageSize })),
    )
  return Readable.from(lines(columns, read))
}
const outcomeWords = {
  create: 'Importada em parte',
  update: 'Importada em parte',
  same: 'Importada em parte',
  skip: 'Ficou de fora',
  error: 'Não importada',
}

async function* lines(columns: CsvColumn<ShownRow>[], read: (after: number) => Promise<ShownRow[]>) {
  yield csvHead(columns)
  for (let after = -1; ; ) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (!last) return
    yield csvBody(columns, rows)
    after = last.line
  }
}
