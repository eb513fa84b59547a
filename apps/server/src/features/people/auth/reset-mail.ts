import type { Tx } from '../../../db/database.ts'
import { queueMail } from '../mail/outbox.ts'

const hourMs = 60 * 60_000
/** How long each link works. */
export const linkLivesMs = { reset: hourMs, invite: 7 * 24 * hourMs }

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

/** Puts a link on its way, with the row that makes it work. */
export const queueLink = (tx: Tx, mail: { to: string; userId: string; link: string; kind: 'reset' | 'invite' }) => {
  const { kind, link, to, userId } = mail
  const { subject, paragraphs, button, closing } = wordsOf[kind]
  return queueMail(tx, {
    kind,
    to,
    userId,
    livesMs: linkLivesMs[kind],
    subject,
    paragraphs,
    link: { label: button, url: link },
    closing,
  })
}
