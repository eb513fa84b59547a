import { z } from 'zod'

export const mostCsvLines = 5_000
/** POST …/import: a file as text, as `…/export.csv` gives it. With `dryRun` nothing is written. */
export const csvImportBody = z.strictObject({
  csv: z.string().min(1, 'O arquivo está vazio.').max(1_900_000, 'O arquivo é grande demais. Divida-o.'),
  dryRun: z.boolean().default(false),
})
export const csvImportReport = z.object({
  created: z.int(),
  changed: z.int(),
  /** There already, and just so. */
  same: z.int(),
  /** Folders, or groups, that did not exist. */
  folders: z.array(z.string()),
  /** Lines of the file that are left out, and why. */
  refused: z.array(z.object({ line: z.int(), name: z.string(), reason: z.string() })),
})
export type CsvImportReport = z.output<typeof csvImportReport>
