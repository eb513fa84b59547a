import { withTenant } from '../../../db/database.ts'
import { env } from '../../../env.ts'
import { log } from '../../../kit/log.ts'
import { queueMail } from '../mail/outbox.ts'
import { canSendMail } from '../mail/transport.ts'
import { reserveAttempt } from './attempts.ts'

const dayS = 24 * 60 * 60

/** Tells a person, once a day at most, that somebody keeps guessing their password. */
export const warnOfGuesses = async (user: { tenantId: number; id: string }, email: string) => {
  const told = await reserveAttempt([{ scope: 'login:warned', key: email, max: 1, windowS: dayS }])
  if (told) return
  const of = { tenantId: user.tenantId, userId: user.id }
  log.warn(of, 'many wrong passwords for one account')
  if (!(await canSendMail())) return
  await withTenant(user.tenantId, (tx) =>
    queueMail(tx, {
      kind: 'guesses',
      to: email,
      userId: user.id,
      livesMs: dayS * 1_000,
      subject: 'Tentativas de entrar na sua conta',
      paragraphs: [
        'Alguém errou a sua senha no Balcão várias vezes seguidas. Ninguém entrou.',
        'Por segurança, novas tentativas esperam alguns minutos. Nos navegadores em que você já entrou, nada muda.',
      ],
      link: { label: 'Abrir o Balcão', url: `${env.PUBLIC_URL}/login` },
      closing: 'Se não foi você, troque a senha em “Esqueci minha senha”. Quem redefine a senha entra na hora.',
    }),
  )
}
