import { z } from 'zod'
import { id } from '../../common.ts'
import { defineAction } from './define.ts'

export const transfer = defineAction({
  kind: 'transfer',
  label: 'Transferir',
  can: 'tickets.write',
  params: z
    .object({
      queueId: id.nullable().meta({ label: 'Fila', names: 'queues', placeholder: 'Manter a fila' }),
      userId: id.nullable().meta({ label: 'Atendente', names: 'people', placeholder: 'Ninguém: fica em espera' }),
    })
    .refine(({ queueId, userId }) => queueId || userId, { path: ['queueId'], error: 'Escolha a fila ou a pessoa.' }),
  blank: { queueId: null, userId: null },
})

export const queue = defineAction({
  kind: 'queue',
  label: 'Mudar de fila',
  can: 'tickets.write',
  params: z.object({
    queueId: z
      .uuid('Escolha a fila.')
      .meta({ label: 'Fila', names: 'queues', help: 'Quem atende continua atendendo.' }),
  }),
  blank: { queueId: '' },
})

export const channel = defineAction({
  kind: 'channel',
  label: 'Mudar de canal',
  can: 'tickets.write',
  params: z.object({ connectionId: z.uuid('Escolha o canal.').meta({ label: 'Canal', names: 'connections' }) }),
  blank: { connectionId: '' },
})
