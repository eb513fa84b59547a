import { z } from 'zod'
import { defineAction } from './define.ts'

const owner = {
  params: z.object({ userId: z.uuid('Escolha a pessoa.').meta({ label: 'De quem', names: 'people' }) }),
  blank: { userId: '' },
}

export const wallet = defineAction({
  kind: 'wallet',
  label: 'Pôr o contato na carteira',
  can: 'contacts.write',
  ...owner,
})
export const removeWallet = defineAction({
  kind: 'removeWallet',
  label: 'Tirar o contato da carteira',
  can: 'contacts.write',
  ...owner,
})

export const lane = defineAction({
  kind: 'lane',
  label: 'Mudar a etapa do contato',
  can: 'contacts.write',
  params: z.object({ laneId: z.uuid('Escolha a etapa.').meta({ label: 'Etapa', names: 'lanes' }) }),
  blank: { laneId: '' },
})

export const botBlock = defineAction({
  kind: 'botBlock',
  label: 'Atendimento por robô do contato',
  can: 'contacts.write',
  params: z.object({
    robots: z.enum(['blocked', 'allowed']).meta({
      label: 'Fluxos, assistentes e respostas automáticas',
      options: { blocked: 'Não atender mais', allowed: 'Voltar a atender' },
    }),
  }),
  blank: { robots: 'blocked' },
})
