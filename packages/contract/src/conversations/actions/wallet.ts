import { z } from 'zod'
import { defineAction } from './define.ts'

export const wallet = defineAction({
  kind: 'wallet',
  label: 'Pôr o contato na carteira',
  can: 'contacts.write',
  params: z.object({ userId: z.uuid('Escolha a pessoa.').meta({ label: 'De quem', names: 'people' }) }),
  blank: { userId: '' },
})
