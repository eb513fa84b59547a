import { z } from 'zod'
import { defineAction, messageText } from './define.ts'

/** To the phone of the contact, whichever channel the conversation is on; its answer is a conversation by SMS. */
export const sms = defineAction({
  kind: 'sms',
  label: 'Enviar SMS',
  can: 'messages.write',
  params: z.object({
    connectionId: z.uuid('Escolha o canal.').meta({ label: 'Canal de SMS', names: 'connections', ofKind: 'sms' }),
    body: messageText,
  }),
  blank: { connectionId: '', body: '' },
  detail: ({ body }) => body,
})
