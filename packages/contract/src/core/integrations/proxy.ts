import { z } from 'zod'
import { host, port } from '../providers/fields.ts'
import { defineIntegration } from './define.ts'

const byProxy = { field: 'protocol', is: ['http', 'https', 'socks5'] }
const withLogin = [byProxy, { field: 'hasLogin', is: true }]

export const proxyIntegration = defineIntegration({
  family: 'proxy',
  kind: 'proxy',
  label: 'Proxy',
  description: 'Um canal passa a falar com o provedor por este endereço, ou só com este certificado.',
  words: 'socks http saída ip residencial certificado cliente mtls',
  glyph: {
    label: 'Proxy',
    color: '#566570',
    paths: [
      'M3 19a2 2 0 1 0 4 0a2 2 0 0 0 -4 0',
      'M19 7a2 2 0 1 0 0 -4a2 2 0 0 0 0 4',
      'M11 19h5.5a3.5 3.5 0 0 0 0 -7h-8a3.5 3.5 0 0 1 0 -7h4.5',
    ],
  },
  steps: {
    after: [
      'Em Canais, abra o canal e escolha este proxy.',
      'Se o proxy cair, o canal para: nada sai por outro caminho.',
    ],
  },
  config: z.object({
    protocol: z
      .enum(['http', 'https', 'socks5', 'none'])
      .default('http')
      .meta({
        label: 'Tipo',
        options: { http: 'HTTP', https: 'HTTPS', socks5: 'SOCKS5', none: 'Sem proxy, só certificado' },
      }),
    host: host
      .optional()
      .meta({ label: 'Servidor', placeholder: 'proxy.exemplo.com.br', is: 'host', shownWhen: byProxy, isNeeded: true }),
    port: port.optional().meta({ label: 'Porta', shownWhen: byProxy, isNeeded: true }),
    hasLogin: z.boolean().default(false).meta({ label: 'O proxy pede usuário e senha', shownWhen: byProxy }),
    user: z.string().trim().max(200).optional().meta({ label: 'Usuário', shownWhen: withLogin, isNeeded: true }),
    password: z
      .string()
      .max(200)
      .optional()
      .meta({ label: 'Senha', secret: true, shownWhen: withLogin, isNeeded: true }),
    certificate: z
      .string()
      .trim()
      .max(20_000)
      .regex(/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/, 'Falta o bloco CERTIFICATE.')
      .regex(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+-----END [A-Z ]*PRIVATE KEY-----/, 'Falta o bloco PRIVATE KEY.')
      .optional()
      .meta({
        label: 'Certificado e chave (PEM)',
        help: 'Para um provedor que pede certificado de cliente. Cole os dois blocos, um depois do outro.',
        placeholder: '-----BEGIN CERTIFICATE-----',
        secret: true,
        multiline: true,
        section: 'Certificado de cliente',
        isNeeded: { field: 'protocol', is: 'none' },
      }),
    testHost: host.default('api.telegram.org').meta({
      label: 'Servidor do teste',
      help: 'Testar abre por este caminho uma conexão com ele, na porta 443.',
      section: 'Teste',
    }),
    echoUrl: z.url('Endereço inválido.').optional().meta({
      label: 'Endereço que diz o IP',
      help: 'Opcional. Testar pergunta a ele por qual IP o proxy sai.',
      placeholder: 'https://api.ipify.org',
      is: 'url',
    }),
  }),
})
