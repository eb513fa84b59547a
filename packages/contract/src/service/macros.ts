import { z } from 'zod'
import { id } from '../common.ts'
import { resource, rowMeta } from '../resource.ts'
import { unknownVariables } from '../variables.ts'
import { quickMessageScopes } from './quick-messages.ts'

const text = z
  .string()
  .trim()
  .min(1, 'Escreva a mensagem.')
  .max(4_000, 'Use no máximo 4.000 caracteres.')
  .superRefine((value, context) => {
    const [unknown] = unknownVariables(value)
    if (unknown) context.addIssue({ code: 'custom', message: `A variável {{${unknown}}} não existe.` })
  })

/** One step of a macro; steps run in order, each through the same path as when a person does it by hand. */
export const macroAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('send'), body: text }),
  z.object({ kind: z.literal('note'), body: text }),
  z.object({ kind: z.literal('addTags'), tagIds: z.array(id).min(1, 'Escolha as etiquetas.').max(20) }),
  z.object({ kind: z.literal('removeTags'), tagIds: z.array(id).min(1, 'Escolha as etiquetas.').max(20) }),
  z.object({ kind: z.literal('transfer'), queueId: id.nullable(), userId: id.nullable() }),
  z.object({ kind: z.literal('priority'), priority: z.enum(['low', 'normal', 'high', 'urgent']) }),
  z.object({ kind: z.literal('pause'), minutes: z.int().min(5).max(43_200).nullable() }),
  z.object({ kind: z.literal('close'), reasonId: id.nullable() }),
])
export type MacroAction = z.output<typeof macroAction>

/** What each kind of step is called. */
export const macroStepLabels: Record<MacroAction['kind'], string> = {
  send: 'Enviar mensagem',
  note: 'Escrever nota interna',
  addTags: 'Adicionar etiquetas',
  removeTags: 'Remover etiquetas',
  transfer: 'Transferir',
  priority: 'Definir prioridade',
  pause: 'Pausar',
  close: 'Encerrar',
}

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
  actions: z.array(macroAction).min(1, 'Escolha pelo menos uma ação.').max(20),
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
