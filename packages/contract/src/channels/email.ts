import { z } from 'zod'
import { email } from '../common.ts'
import { host, port } from '../core/providers/fields.ts'
import { defineChannel } from './define.ts'

/** Facts: a mailbox we read by IMAP (993 is TLS from the start) and answer by SMTP (587 must upgrade, 465 is TLS). */
export const emailChannel = defineChannel({
  kind: 'email',
  label: 'E-mail',
  description: 'Uma caixa de entrada da empresa, atendida pela sua equipe.',
  words: 'imap smtp outlook gmail locaweb hostgator zoho correio caixa de entrada',
  glyph: {
    label: 'E-mail',
    color: '#8a5a00',
    paths: ['M3 7a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-10', 'M3 7l9 6l9 -6'],
  },
  steps: {
    before: [
      'Ative o acesso por IMAP na sua caixa de e-mail.',
      'Em contas com verificação em duas etapas, crie uma senha de aplicativo e use-a abaixo.',
      'Entram aqui as mensagens que chegarem depois de conectar; as antigas ficam na caixa.',
    ],
  },
  identities: { email: 30 },
  reachedBy: { identities: ['email'], whenNot: 'Este contato ainda não escreveu por e-mail.' },
  abilities: () => ({
    supports: ['text', 'image', 'audio', 'video', 'document', 'reply', 'mail'],
    textLimits: { text: 50_000, caption: 50_000 },
    mailLimits: { subject: 250, html: 200_000, copies: 20 },
  }),
  pace: { perSecond: 1, burst: 10 },
  config: z.object({
    address: email.meta({ label: 'E-mail da caixa', placeholder: 'atendimento@loja.com.br' }),
    fromName: z.string().trim().max(60).default('').meta({ label: 'Nome do remetente', placeholder: 'Loja Aurora' }),
    user: z.string().trim().max(254).default('').meta({ label: 'Usuário', help: 'Vazio: o próprio e-mail da caixa.' }),
    password: z.string().min(1).max(200).meta({ label: 'Senha', secret: true }),
    imapHost: host.meta({
      label: 'Servidor de entrada',
      placeholder: 'imap.loja.com.br',
      is: 'host',
      section: 'Receber (IMAP)',
    }),
    imapPort: port.default(993).meta({ label: 'Porta de entrada', help: '993 na maioria.' }),
    imapSecurity: z
      .enum(['tls', 'starttls', 'none'])
      .default('tls')
      .meta({ label: 'Segurança da entrada', options: securities() }),
    smtpHost: host.meta({
      label: 'Servidor de saída',
      placeholder: 'smtp.loja.com.br',
      is: 'host',
      section: 'Enviar (SMTP)',
    }),
    smtpPort: port.default(587).meta({ label: 'Porta de saída', help: '587 na maioria; 465 com TLS desde o início.' }),
    smtpSecurity: z
      .enum(['tls', 'starttls', 'none'])
      .default('starttls')
      .meta({ label: 'Segurança da saída', options: securities() }),
  }),
})

function securities() {
  return { tls: 'TLS desde o início', starttls: 'STARTTLS', none: 'Nenhuma (só em rede própria)' }
}
