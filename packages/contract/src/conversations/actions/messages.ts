import { z } from 'zod'
import { id } from '../../common.ts'
import { defineAction, messageText } from './define.ts'

const words = { params: z.object({ body: messageText }), blank: { body: '' } }

export const send = defineAction({ kind: 'send', label: 'Enviar mensagem', can: 'messages.write', ...words })

export const sendQuick = defineAction({
  kind: 'sendQuick',
  label: 'Enviar mensagem rápida',
  can: 'messages.write',
  params: z.object({ quickMessageId: id.meta({ label: 'Mensagem rápida', names: 'quickMessages' }) }),
  blank: { quickMessageId: '' },
})

export const note = defineAction({ kind: 'note', label: 'Escrever nota interna', can: 'messages.write', ...words })
