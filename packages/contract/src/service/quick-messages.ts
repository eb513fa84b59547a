import { z } from 'zod'
import { id } from '../common.ts'
import { media } from '../core/media.ts'
import { resource, rowMeta } from '../resource.ts'

export const quickMessageScopes = ['mine', 'queue', 'everyone'] as const

const quickMessageWrite = z.object({
  /** What follows the `/` in the composer. */
  key: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Informe o atalho.')
    .max(40, 'Use no máximo 40 caracteres.')
    .regex(/^[\p{L}\p{N}_-]+$/u, 'Use apenas letras, números, hífen e sublinhado.'),
  message: z.string().trim().max(4_000, 'Use no máximo 4.000 caracteres.'),
  scope: z.enum(quickMessageScopes).default('mine'),
  queueId: id.nullable().default(null),
  mediaId: id.nullable().default(null),
})
export const quickMessage = rowMeta.extend(quickMessageWrite.shape).extend({
  userId: id,
  media: media.nullable(),
})
export type QuickMessage = z.output<typeof quickMessage>

export const quickMessageResource = resource({
  path: '/fastreply',
  event: 'quickMessage',
  label: { one: 'Mensagem rápida', many: 'Mensagens rápidas', feminine: true },
  row: quickMessage,
  write: quickMessageWrite,
  fields: { key: 'Atalho', message: 'Mensagem', scope: 'Para quem', queueId: 'Fila', mediaId: 'Arquivo' },
  sort: ['key', 'createdAt', 'updatedAt'],
  can: { read: 'quick-messages.read', write: 'quick-messages.write' },
})

/** Rules that need two fields; both sides call it after the schema. */
export const quickMessageProblems = (input: {
  message: string
  scope: string
  queueId: string | null
  mediaId: string | null
}) => [
  ...(input.scope === 'queue' && !input.queueId ? [{ path: 'queueId', message: 'Escolha a fila.' }] : []),
  ...(!input.message && !input.mediaId
    ? [{ path: 'message', message: 'Escreva um texto ou escolha um arquivo.' }]
    : []),
]
