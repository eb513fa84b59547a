import { log } from '../../../kit/log.ts'
import { canSendMail, sendMail } from './mail.ts'

type Mail = { to: string; tenantId: number; userId: string; link: string; kind: 'reset' | 'invite' }

const wordsOf = {
  reset: {
    subject: 'Redefinição de senha',
    paragraphs: ['Recebemos um pedido para redefinir a sua senha no Balcão.'],
    button: 'Escolher nova senha',
    closing:
      'O link vale por 1 hora e só pode ser usado uma vez. Se não foi você quem pediu, ignore este e-mail: sua senha continua a mesma.',
  },
  invite: {
    subject: 'Convite para o Balcão',
    paragraphs: ['A sua empresa convidou você para atender os clientes dela no Balcão.'],
    button: 'Criar minha senha',
    closing:
      'O link vale por 7 dias e só pode ser usado uma vez. Se você não esperava este convite, ignore este e-mail.',
  },
}

/** Sends the link, or writes it to the log where the operator finds it when the installation has no mail server. */
export const sendResetMail = async ({ to, tenantId, userId, link, kind }: Mail) => {
  const of = { tenantId, userId }
  if (!canSendMail()) {
    log.warn({ ...of, link }, 'no SMTP_URL: give this password reset link to the user')
    return
  }
  const { subject, paragraphs, button, closing } = wordsOf[kind]
  await sendMail(of, { to, subject, paragraphs, link: { label: button, url: link }, closing })
}
