import { z } from 'zod'
import { spanOf } from '../../core/span.ts'
import { defineAction, messageText, variableText } from './define.ts'

/** A message of its own, written to the conversation when it is due. */
export const schedule = defineAction({
  kind: 'schedule',
  label: 'Agendar mensagem',
  can: 'schedules.write',
  params: z.object({
    body: messageText,
    minutes: z
      .int('Informe um número inteiro de minutos.')
      .min(5, 'Agende para daqui a pelo menos 5 minutos.')
      .max(527_040, 'Agende para os próximos 366 dias.')
      .meta({ label: 'Daqui a quantos minutos', unit: 'minutes' }),
  }),
  blank: { body: '', minutes: 1_440 },
  detail: ({ minutes, body }) => `em ${spanOf(minutes)}, ${body}`,
})

/** To the customer at the address of their card, or to a colleague: never to just anybody. */
export const email = defineAction({
  kind: 'email',
  label: 'Enviar e-mail',
  can: 'messages.write',
  params: z.object({
    userId: z
      .uuid()
      .nullable()
      .meta({ label: 'Para', names: 'people', placeholder: 'O cliente, no e-mail do cadastro' }),
    subject: variableText(200, 'Escreva o assunto.').meta({ label: 'Assunto', withVariables: true }),
    body: messageText,
  }),
  blank: { userId: null, subject: '', body: '' },
  detail: ({ userId, subject }, nameOf) => `${userId ? (nameOf(userId) ?? '') : 'ao cliente'}, ${subject}`,
})
