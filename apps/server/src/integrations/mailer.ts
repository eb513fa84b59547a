import type { Egress } from '../kit/egress.ts'
import { IntegrationError, type Letter } from './adapter.ts'

export type MailServer = {
  from: { address: string; name: string }
  host: string
  port: number
  /** `tls` from the first byte, `starttls` before anything is said, or none. */
  security: 'starttls' | 'tls' | 'none'
  auth?: { user: string; pass: string } | { type: 'OAuth2'; user: string; accessToken: string }
}

/** A mail server spoken to through our own sockets: what it is called is checked like every address a company types. */
export const mailer = async ({ from, host, port, security, auth }: MailServer, egress: Egress) => {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    auth,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    getSocket: (_options, callback) => {
      egress.connect({ host, port }).then(
        (connection) => callback(null, { connection }),
        (error) => callback(error, undefined),
      )
    },
  })
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw whyNot(error, auth !== undefined && 'accessToken' in auth)
    } finally {
      transport.close()
    }
  }
  return {
    /** To itself: a server that lets in may still refuse the sender. */
    sendTest: () => explained(transport.sendMail({ ...testLetter(from.address), from })),
    send: (letter: Letter) => explained(transport.sendMail({ ...letter, from })),
  }
}

const testLetter = (to: string) => ({
  to,
  subject: 'Teste de envio do Balcão',
  headers: { 'Auto-Submitted': 'auto-generated' },
  text: 'Esta conta envia os e-mails do Balcão. Não é preciso responder.',
})

const whyNot = (error: unknown, isByToken: boolean): IntegrationError => {
  const field = (name: string) => (typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined)
  const status = Number(field('responseCode'))
  if (field('code') === 'EAUTH')
    return new IntegrationError(
      isByToken
        ? 'A conta recusou a nossa autorização. Toque em Autorizar outra vez.'
        : 'O servidor recusou o usuário ou a senha.',
    )
  if (field('code') === 'ETLS')
    return new IntegrationError('O servidor não aceitou a conexão segura. Confira a segurança e a porta.')
  if (status >= 500 && /^(RCPT TO|DATA)/.test(String(field('command'))))
    return new IntegrationError(`O servidor recusou: ${String(field('response') ?? status).slice(0, 300)}`, {
      isRefusal: true,
    })
  if (status >= 500) return new IntegrationError(`O servidor de e-mail recusou (${status}). Confira o remetente.`)
  if (status >= 400)
    return new IntegrationError('O servidor de e-mail pediu para tentar mais tarde.', { isPassing: true })
  return new IntegrationError('O servidor de e-mail não respondeu. Confira o endereço e a porta.', { isPassing: true })
}
