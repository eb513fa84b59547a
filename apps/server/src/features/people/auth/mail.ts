import { setTimeout as sleep } from 'node:timers/promises'
import { v7 } from 'uuid'
import { env } from '../../../env.ts'
import { log } from '../../../kit/log.ts'

/** Pauses before trying again what the mail server refused for the moment. */
const pausesMs = [2_000, 15_000]

export const canSendMail = () => env.SMTP_URL !== undefined

type Mail = { to: string; subject: string; paragraphs: string[]; link: { label: string; url: string }; closing: string }

/** Sends a mail of ours; what a mail server refuses for the moment is tried again. */
export const sendMail = async (of: { tenantId: number; userId: string }, mail: Mail) => {
  if (!env.SMTP_URL) return
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(new URL(env.SMTP_URL)))
  const message = compose(mail)
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await transport.sendMail(message)
        return log.info({ ...of, subject: mail.subject }, 'mail sent')
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

const compose = ({ to, subject, paragraphs, link, closing }: Mail) => ({
  from: env.SMTP_FROM,
  to,
  subject,
  messageId: `<${v7()}@${new URL(env.PUBLIC_URL).hostname}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  text: ['Olá!', ...paragraphs, `${link.label}:`, link.url, closing].join('\n\n'),
  html: `<!doctype html><html lang="pt-BR"><body style="font-family:sans-serif;font-size:15px;line-height:1.5;color:#172027">
<p>Olá!</p>
${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}
<p><a href="${link.url}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0b7a75;color:#ffffff;text-decoration:none">${link.label}</a></p>
<p>Se o botão não funcionar, copie este endereço no navegador:<br>${link.url}</p>
<p>${closing}</p>
</body></html>`,
})
