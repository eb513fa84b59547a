import { z } from 'zod'
import { defineIntegration } from './define.ts'

const key = z.string().trim().min(8, 'Cole a chave completa.').max(500)

/**
 * A server of a WhatsApp gateway, set up once: its address and what its administrator is known by. Channels of the same
 * kind may stand on it, or bring these very fields themselves.
 */
export const evolutionGateway = defineIntegration({
  family: 'gateway',
  kind: 'evolution',
  label: 'Evolution API',
  description: 'O servidor Evolution onde ficam os números da empresa.',
  words: 'evolution evo whatsapp servidor',
  glyph: {
    label: 'Evolution',
    color: '#0b7a75',
    paths: ['M3 21l1.65 -3.8a9 9 0 1 1 3.4 2.9l-5.05 .9', 'M9 9h6', 'M9 12h5', 'M9 15h6', 'M9 9v6'],
  },
  config: z.object({
    baseUrl: z.url('Endereço inválido.').meta({
      label: 'Endereço do servidor',
      placeholder: 'https://evolution.suaempresa.com.br',
      is: 'url',
    }),
    apiKey: key.meta({ label: 'Chave global da API', help: 'No servidor: AUTHENTICATION_API_KEY.', secret: true }),
  }),
})

export const uazapiGateway = defineIntegration({
  family: 'gateway',
  kind: 'uazapi',
  label: 'uazapi',
  description: 'A conta da uazapi onde ficam os números da empresa.',
  words: 'uazapi uazapigo whatsapp servidor',
  glyph: {
    label: 'uazapi',
    color: '#1b6e3c',
    paths: ['M3 21l1.65 -3.8a9 9 0 1 1 3.4 2.9l-5.05 .9', 'M9 9v4a3 3 0 0 0 6 0v-4'],
  },
  config: z.object({
    baseUrl: z.url('Endereço inválido.').meta({
      label: 'Endereço do servidor',
      placeholder: 'https://suaempresa.uazapi.com',
      is: 'url',
    }),
    adminToken: key.meta({ label: 'Token de administrador', help: 'Com ele criamos as instâncias.', secret: true }),
  }),
})

export const wuzapiGateway = defineIntegration({
  family: 'gateway',
  kind: 'wuzapi',
  label: 'WuzAPI',
  description: 'O servidor WuzAPI onde ficam os números da empresa.',
  words: 'wuzapi meow whatsmeow whatsapp servidor',
  glyph: {
    label: 'WuzAPI',
    color: '#6d3b8f',
    paths: ['M3 21l1.65 -3.8a9 9 0 1 1 3.4 2.9l-5.05 .9', 'M8 9l2 6l2 -5l2 5l2 -6'],
  },
  config: z.object({
    baseUrl: z.url('Endereço inválido.').meta({
      label: 'Endereço do servidor',
      placeholder: 'https://wuzapi.suaempresa.com.br',
      is: 'url',
    }),
    adminToken: key.meta({ label: 'Token de administrador', help: 'No servidor: WUZAPI_ADMIN_TOKEN.', secret: true }),
  }),
})

export const zapiGateway = defineIntegration({
  family: 'gateway',
  kind: 'zapi',
  label: 'Z-API',
  description: 'A conta da Z-API que assina as instâncias da empresa.',
  words: 'zapi z-api whatsapp servidor',
  glyph: {
    label: 'Z-API',
    color: '#4a4e69',
    paths: ['M3 21l1.65 -3.8a9 9 0 1 1 3.4 2.9l-5.05 .9', 'M9 9h6l-6 6h6'],
  },
  config: z.object({
    clientToken: z.string().trim().min(6, 'Cole o token completo.').max(200).meta({
      label: 'Token de segurança da conta (Client-Token)',
      help: 'No painel da Z-API, em Segurança. Ative-o lá antes de colar aqui.',
      secret: true,
    }),
    partnerToken: z
      .string()
      .trim()
      .regex(/^(\S{6,500})?$/, 'Cole o token completo.')
      .optional()
      .meta({
        label: 'Token de parceiro (integrador)',
        help: 'Com ele criamos a instância de cada canal, e a assinamos quando um telefone é conectado: a Z-API cobra por ela. Vazio: informe uma instância sua em cada canal.',
        secret: true,
      }),
    baseUrl: z.url('Endereço inválido.').default('https://api.z-api.io').meta({ label: 'Endereço da API', is: 'url' }),
  }),
})

/** Not a server but an account: all channels of a company at NotificaMe, behind one token. */
export const hubGateway = defineIntegration({
  family: 'gateway',
  kind: 'hub',
  label: 'NotificaMe Hub',
  description: 'A conta do NotificaMe onde ficam os canais da empresa.',
  words: 'notificame hub whatsapp instagram facebook telegram',
  glyph: {
    label: 'Hub',
    color: '#b3261e',
    paths: [
      'M12 12m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0',
      'M5 5m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0',
      'M19 5m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0',
      'M12 20m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0',
      'M6.1 6.1l4.1 4.1',
      'M17.9 6.1l-4.1 4.1',
      'M12 14.5v4',
    ],
  },
  isOneCompanys: true,
  config: z.object({
    token: key.meta({ label: 'Token da conta', help: 'No painel do NotificaMe Hub, em API.', secret: true }),
    baseUrl: z
      .url('Endereço inválido.')
      .default('https://api.notificame.com.br/v1')
      .meta({ label: 'Endereço da API', is: 'url' }),
  }),
})
