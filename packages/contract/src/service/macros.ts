import { z } from 'zod'
import { id } from '../common.ts'
import { action } from '../conversations/actions/index.ts'
import { resource, rowMeta } from '../resource.ts'
import { quickMessageScopes } from './quick-messages.ts'

/** POST /macros/{id}/run. `runId` is made by the client: the same run twice happens once. */
export const macroRunBody = z.strictObject({ ticketId: id, runId: id })
export const macroRun = z.object({
  /** Steps that were done, of so many. */
  done: z.int(),
  total: z.int(),
  /** The first step that was refused, counted from 1, and why; the following ones were not tried. */
  refused: z.object({ step: z.int(), kind: z.string(), message: z.string() }).nullable(),
})
export type MacroRun = z.output<typeof macroRun>

const macroWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  scope: z.enum(quickMessageScopes).default('mine'),
  queueId: id.nullable().default(null),
  actions: z.array(action).min(1, 'Escolha pelo menos uma ação.').max(20),
})
export const macro = rowMeta.extend(macroWrite.shape).extend({ userId: id })
export type Macro = z.output<typeof macro>

export const macroResource = resource({
  path: '/macros',
  event: 'macro',
  label: { one: 'Macro', many: 'Macros', feminine: true },
  row: macro,
  write: macroWrite,
  fields: { name: 'Nome', actions: 'Passos', scope: 'Para quem', queueId: 'Fila' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'quick-messages.read', write: 'quick-messages.write' },
})
