import { z } from 'zod'
import { email } from '../../common.ts'
import { host, port } from '../providers/fields.ts'
import { defineIntegration } from './define.ts'

/** Facts: 465 is TLS from the start, 587 must upgrade, 25 may be plain inside a company's own network. */
export const smtpIntegration = defineIntegration({
  family: 'mail',
  kind: 'smtp',
  label: 'Servidor de e-mail (SMTP)',
  description: 'A conta de e-mail da empresa, em qualquer provedor.',
  words: 'outlook locaweb hostgator zoho correio envio',
  glyph: {
    label: 'E-mail',
    color: '#8a5a00',
    paths: ['M3 7a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-10', 'M3 7l9 6l9 -6'],
  },
  config: z.object({
    from: email.meta({ label: 'E-mail do remetente', placeholder: 'atendimento@loja.com.br' }),
    fromName: z.string().trim().max(60).default('').meta({ label: 'Nome do remetente', placeholder: 'Loja Aurora' }),
    host: host.meta({ label: 'Servidor', placeholder: 'smtp.loja.com.br', is: 'host', section: 'Servidor de saída' }),
    port: port.default(587).meta({ label: 'Porta', help: '587 na maioria; 465 com TLS desde o início.' }),
    security: z
      .enum(['starttls', 'tls', 'none'])
      .default('starttls')
      .meta({
        label: 'Segurança',
        options: { starttls: 'STARTTLS', tls: 'TLS desde o início', none: 'Nenhuma (só em rede própria)' },
      }),
    hasLogin: z.boolean().default(true).meta({ label: 'O servidor pede usuário e senha' }),
    user: z
      .string()
      .trim()
      .max(254)
      .optional()
      .meta({ label: 'Usuário', shownWhen: { field: 'hasLogin', is: true }, isNeeded: true }),
    password: z
      .string()
      .max(200)
      .optional()
      .meta({
        label: 'Senha',
        help: 'Em contas com verificação em duas etapas, uma senha de aplicativo.',
        secret: true,
        shownWhen: { field: 'hasLogin', is: true },
        isNeeded: true,
      }),
  }),
})
