import { z } from 'zod'
import { resource, rowMeta } from '../resource.ts'
import { unknownVariables } from '../variables.ts'

const farewellWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  message: z
    .string()
    .trim()
    .min(1, 'Escreva a mensagem.')
    .max(4_000, 'Use no máximo 4.000 caracteres.')
    .superRefine((text, context) => {
      const [unknown] = unknownVariables(text)
      if (unknown) context.addIssue({ code: 'custom', message: `A variável {{${unknown}}} não existe.` })
    }),
})
/** A text an agent may send while closing a conversation; its variables are filled in then. */
export const farewell = rowMeta.extend({ name: z.string(), message: z.string() })
export type Farewell = z.output<typeof farewell>

export const farewellResource = resource({
  path: '/farewellPrivateMessage',
  event: 'farewell',
  label: { one: 'Mensagem', many: 'Mensagens', feminine: true },
  row: farewell,
  write: farewellWrite,
  fields: { name: 'Nome', message: 'Mensagem' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'farewells.read', write: 'farewells.write' },
})
