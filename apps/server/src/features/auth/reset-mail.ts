import { log } from '../../kit/log.ts'
import { canSendMail, sendMail } from './mail.ts'

/** Sends the link, or writes it to the log where the operator finds it when the installation has no mail server. */
export const sendResetMail = async (mail: { to: string; tenantId: number; userId: string; link: string }) => {
  const of = { tenantId: mail.tenantId, userId: mail.userId }
  if (!canSendMail()) {
    log.warn({ ...of, link: mail.link }, 'no SMTP_URL: give this password reset link to the user')
    return
  }
  await sendMail(of, {
    to: mail.to,
    subject: 'Redefinição de senha',
    paragraphs: ['Recebemos um pedido para redefinir a sua senha no Balcão.'],
    link: { label: 'Escolher nova senha', url: mail.link },
    closing:
      'O link vale por 1 hora e só pode ser usado uma vez. Se não foi você quem pediu, ignore este e-mail: sua senha continua a mesma.',
  })
}
