import { z } from 'zod'
import { defineAction } from './define.ts'

/** A call to a system of the company, signed as its webhook and delivered as everything that system is told. */
export const webhook = defineAction({
  kind: 'webhook',
  label: 'Avisar sistema (webhook)',
  can: 'tickets.write',
  canChoose: 'integrations.write',
  params: z.object({
    integrationId: z
      .uuid('Escolha o sistema.')
      .meta({ label: 'Sistema', names: 'webhooks', help: 'Assina o aviso e mostra a entrega, em Integrações.' }),
    name: z.string().trim().min(1, 'Dê um nome ao aviso.').max(60, 'Use no máximo 60 caracteres.').meta({
      label: 'Nome do aviso',
      placeholder: 'pedido.pronto',
      help: 'O sistema recebe este nome com o atendimento.',
    }),
    url: z
      .url('Endereço inválido.')
      .max(1_000, 'Use no máximo 1.000 caracteres.')
      .nullable()
      .meta({ label: 'Outro endereço', is: 'url', placeholder: 'O endereço do sistema' }),
  }),
  blank: { integrationId: '', name: '', url: null },
  detail: ({ integrationId, name }, nameOf) => [nameOf(integrationId), name].filter(Boolean).join(', '),
})
