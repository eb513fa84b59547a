import { z } from 'zod'
import { defineAction } from './define.ts'

/** A voice assistant calls the contact; what came of it is a note of the conversation. */
export const voiceCall = defineAction({
  kind: 'voiceCall',
  label: 'Ligar com assistente de voz',
  can: 'calls.write',
  params: z.object({
    integrationId: z
      .uuid('Escolha a conta da Vapi.')
      .meta({ label: 'Conta da Vapi', names: 'voiceAccounts', help: 'Liga com o assistente e o número dela.' }),
  }),
  blank: { integrationId: '' },
})
