import { z } from 'zod'
import { id } from '../../common.ts'
import { spanOf } from '../../core/span.ts'
import { priorityLabels } from '../urgency.ts'
import { defineAction } from './define.ts'

/** One of these, as people read them. */
const choice = <const Options extends Record<string, string>>(label: string, options: Options) =>
  z.enum(Object.keys(options) as (keyof Options & string)[]).meta({ label, options })
const none = { params: z.object({}), blank: {} }

export const priority = defineAction({
  kind: 'priority',
  label: 'Definir prioridade',
  can: 'tickets.write',
  params: z.object({ priority: choice('Prioridade', priorityLabels) }),
  blank: { priority: 'high' },
})

export const pause = defineAction({
  kind: 'pause',
  label: 'Pausar',
  can: 'tickets.write',
  params: z.object({
    minutes: z
      .int('Informe um número inteiro de minutos.')
      .min(5, 'Pause por pelo menos 5 minutos.')
      .max(43_200, 'Pause por no máximo 30 dias.')
      .nullable()
      .meta({ label: 'Por quantos minutos', help: 'Em branco, até o cliente responder.', unit: 'minutes' }),
  }),
  blank: { minutes: null },
  detail: ({ minutes }) => (minutes === null ? 'até o cliente responder' : `por ${spanOf(minutes)}`),
})
export const resume = defineAction({ kind: 'resume', label: 'Retomar', can: 'tickets.write', ...none })

export const markRead = defineAction({ kind: 'markRead', label: 'Marcar como lido', can: 'tickets.write', ...none })
export const mark = defineAction({
  kind: 'mark',
  label: 'Fixar ou acompanhar',
  can: 'tickets.read',
  params: z.object({ as: choice('Para quem executa', { pinned: 'Fixar no topo', followed: 'Acompanhar' }) }),
  blank: { as: 'pinned' },
})

/** Kept for when it is closed. */
export const reason = defineAction({
  kind: 'reason',
  label: 'Definir motivo',
  can: 'tickets.write',
  params: z.object({ reasonId: z.uuid('Escolha o motivo.').meta({ label: 'Motivo', names: 'reasons' }) }),
  blank: { reasonId: '' },
})

export const close = defineAction({
  kind: 'close',
  label: 'Encerrar',
  can: 'tickets.write',
  params: z.object({
    reasonId: id.nullable().meta({ label: 'Motivo', names: 'reasons', placeholder: 'Sem motivo' }),
  }),
  blank: { reasonId: null },
  isLast: true,
})
/** Without the reason and the message the company may ask for. */
export const forceClose = defineAction({
  kind: 'forceClose',
  label: 'Encerrar sem motivo e sem mensagem',
  can: 'tickets.force',
  ...none,
  isLast: true,
})
export const reopen = defineAction({
  kind: 'reopen',
  label: 'Reabrir',
  can: 'tickets.write',
  params: z.object({ status: choice('Onde fica', { pending: 'Em espera', open: 'Com quem executa' }) }),
  blank: { status: 'pending' },
})
