import { z } from 'zod'
import { email, id } from '../common.ts'
import { host, port } from '../core/providers/fields.ts'
import { defineChannel } from './define.ts'

const byPassword = { field: 'login', is: 'password' } as const
const byAccount = { field: 'login', is: 'account' } as const

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
      {
        text: 'Em contas com verificação em duas etapas, crie uma senha de aplicativo e use-a abaixo.',
        shownWhen: byPassword,
      },
      {
        text: 'Escreva o e-mail da caixa e escolha a conta; quem é dono dela autoriza o acesso.',
        shownWhen: byAccount,
      },
      'Entram aqui as mensagens que chegarem depois de conectar; as antigas ficam na caixa.',
    ],
  },
  identities: { email: 30 },
  reachedBy: { identities: ['email'], whenNot: 'Este contato ainda não escreveu por e-mail.' },
  abilities: () => ({
    supports: ['text', 'image', 'audio', 'video', 'document', 'reply', 'mail', 'attachments', 'mass'],
    textLimits: { text: 50_000, caption: 50_000 },
    receipts: [],
    mailLimits: { subject: 250, html: 200_000, copies: 20 },
  }),
  pace: { perSecond: 1, burst: 10 },
  config: z.object({
    address: email.meta({ label: 'E-mail da caixa', placeholder: 'atendimento@loja.com.br' }),
    fromName: z.string().trim().max(60).default('').meta({ label: 'Nome do remetente', placeholder: 'Loja Aurora' }),
    login: z
      .enum(['password', 'account'])
      .default('password')
      .meta({
        label: 'Como entrar',
        options: { password: 'Com usuário e senha', account: 'Com a conta do Gmail ou do Outlook' },
      }),
    mailAccountId: id.optional().meta({
      label: 'Conta autorizada',
      help: 'A senha dela não passa por aqui: quem é dono da conta autoriza o acesso.',
      names: 'mailAccounts',
      shownWhen: byAccount,
      isNeeded: true,
    }),
    user: z
      .string()
      .trim()
      .max(254)
      .optional()
      .meta({ label: 'Usuário', help: 'Vazio: o próprio e-mail da caixa.', shownWhen: byPassword }),
    password: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ label: 'Senha', secret: true, shownWhen: byPassword, isNeeded: true }),
    imapHost: host.optional().meta({
      label: 'Servidor de entrada',
      placeholder: 'imap.loja.com.br',
      is: 'host',
      section: 'Receber (IMAP)',
      shownWhen: byPassword,
      isNeeded: true,
    }),
    imapPort: port.default(993).meta({ label: 'Porta de entrada', help: '993 na maioria.', shownWhen: byPassword }),
    imapSecurity: z
      .enum(['tls', 'starttls', 'none'])
      .default('tls')
      .meta({ label: 'Segurança da entrada', options: securities(), shownWhen: byPassword }),
    smtpHost: host.optional().meta({
      label: 'Servidor de saída',
      placeholder: 'smtp.loja.com.br',
      is: 'host',
      section: 'Enviar (SMTP)',
      shownWhen: byPassword,
      isNeeded: true,
    }),
    smtpPort: port
      .default(587)
      .meta({ label: 'Porta de saída', help: '587 na maioria; 465 com TLS desde o início.', shownWhen: byPassword }),
    smtpSecurity: z
      .enum(['tls', 'starttls', 'none'])
      .default('starttls')
      .meta({ label: 'Segurança da saída', options: securities(), shownWhen: byPassword }),
  }),
})

function securities() {
  return { tls: 'TLS desde o início', starttls: 'STARTTLS', none: 'Nenhuma (só em rede própria)' }
}
