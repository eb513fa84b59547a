import { setTimeout as sleep } from 'node:timers/promises'
import { v7 } from 'uuid'
import { env } from '../../env.ts'
import { log } from '../../kit/log.ts'

/** Pauses before trying again what the mail server refused for the moment. */
const pausesMs = [2_000, 15_000]

export const canSendMail = () => env.SMTP_URL !== undefined

/** Sends the link, or writes it to the log where the operator finds it when the installation has no mail server. */
export const sendResetMail = async (mail: { to: string; tenantId: number; userId: string; link: string }) => {
  const of = { tenantId: mail.tenantId, userId: mail.userId }
  if (!env.SMTP_URL) {
    log.warn({ ...of, link: mail.link }, 'no SMTP_URL: give this password reset link to the user')
    return
  }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(new URL(env.SMTP_URL)))
  const message = compose(mail.to, mail.link)
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await transport.sendMail(message)
        return log.info(of, 'password reset mail sent')
      } catch (error) {
        const pauseMs = pausesMs[attempt]
        if (pauseMs === undefined || isFinal(error)) throw error
        await sleep(pauseMs, undefined, { ref: false }) // the same Message-ID: twice accepted is once read
      }
    }
  } finally {
    transport.close()
  }
}

/** 465 is TLS from the start, 587 must upgrade; nodemailer's own time limits are minutes (smtp.md). */
const transportOptions = (url: URL) => {
  const port = Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    secure: url.protocol === 'smtps:' || port === 465,
    requireTLS: port === 587,
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  }
}

/** A wrong log-in or a refused recipient does not mend itself; 4xx and a lost line may. */
const isFinal = (error: unknown) => {
  const field = (name: string) => (typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined)
  const status = field('responseCode')
  return field('code') === 'EAUTH' || (typeof status === 'number' && status >= 500)
}

const compose = (to: string, link: string) => ({
  from: env.SMTP_FROM,
  to,
  subject: 'Redefinição de senha',
  messageId: `<${v7()}@${new URL(env.PUBLIC_URL).hostname}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  text: [
    'Olá!',
    '',
    'Recebemos um pedido para redefinir a sua senha no Balcão. Para escolher uma nova senha, abra este endereço:',
    '',
    link,
    '',
    'O link vale por 1 hora e só pode ser usado uma vez. Se não foi você quem pediu, ignore este e-mail: sua senha continua a mesma.',
  ].join('\n'),
  html: `<!doctype html><html lang="pt-BR"><body style="font-family:sans-serif;font-size:15px;line-height:1.5;color:#172027">
<p>Olá!</p>
<p>Recebemos um pedido para redefinir a sua senha no Balcão.</p>
<p><a href="${link}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0b7a75;color:#ffffff;text-decoration:none">Escolher nova senha</a></p>
<p>Se o botão não funcionar, copie este endereço no navegador:<br>${link}</p>
<p>O link vale por 1 hora e só pode ser usado uma vez. Se não foi você quem pediu, ignore este e-mail: sua senha continua a mesma.</p>
</body></html>`,
})
