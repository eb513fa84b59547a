import { z } from 'zod'
import { defineIntegration } from './define.ts'

const topic = (label: string, help: string) => z.boolean().default(false).meta({ label, help })

/** Calls are signed as standardwebhooks.com describes: id, time and body under the company's secret. */
export const webhookIntegration = defineIntegration({
  family: 'events',
  kind: 'webhook',
  label: 'Webhook',
  description: 'Um sistema da empresa é avisado do que acontece aqui.',
  words: 'api aviso evento n8n zapier make erp crm sistema',
  hearsEvents: true,
  glyph: {
    label: 'Webhook',
    color: '#6b3fa0',
    paths: [
      'M4.876 13.61a4 4 0 1 0 6.124 3.39h6',
      'M15.066 20.502a4 4 0 1 0 1.934 -7.502c-.706 0 -1.424 .179 -2 .5l-3 -5.5',
      'M16 8a4 4 0 1 0 -8 0c0 1.506 .77 2.818 2 3.5l-3 5.5',
    ],
  },
  steps: {
    before: [
      'Prepare no seu sistema um endereço que aceite POST com JSON e responda 200 em até 10 segundos.',
      'Confira a assinatura de cada aviso com o segredo abaixo (padrão Standard Webhooks).',
    ],
    after: [
      'Toque em Testar: o endereço recebe um aviso do tipo webhook.test.',
      'Uma macro com o passo Avisar sistema chama este endereço com o tipo action.called.',
      'O mesmo aviso pode chegar duas vezes: o cabeçalho webhook-id é o mesmo.',
    ],
  },
  config: z.object({
    url: z
      .url('Endereço inválido.')
      .max(1_000, 'Use no máximo 1.000 caracteres.')
      .meta({ label: 'Endereço', placeholder: 'https://erp.loja.com.br/avisos', is: 'url' }),
    secret: z
      .string()
      .trim()
      .min(24, 'Use pelo menos 24 caracteres.')
      .max(200, 'Use no máximo 200 caracteres.')
      .meta({ label: 'Segredo da assinatura', help: 'Só você e o seu sistema conhecem.', secret: true }),
    messages: z
      .boolean()
      .default(true)
      .meta({ label: 'Mensagens', help: 'Novas, alteradas, apagadas, e até onde chegaram.', section: 'Do que avisar' }),
    tickets: topic('Atendimentos', 'Novos e cada mudança: quem atende, fila, situação.'),
    contacts: topic('Contatos', 'Alterados, excluídos e unidos.'),
    channels: topic('Canais', 'Conectados e desconectados.'),
    tasks: topic('Tarefas', 'Novas, alteradas, excluídas e no prazo.'),
    ratings: topic('Avaliações', 'A nota que o cliente deu.'),
  }),
})
