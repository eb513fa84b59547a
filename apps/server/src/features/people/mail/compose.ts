import { env } from '../../../env.ts'

/** What a mail of ours says: a greeting, some paragraphs, one button. */
export type MailText = {
  subject: string
  paragraphs: string[]
  link: { label: string; url: string }
  closing: string
}

/** A message as a mail server takes it. */
export const compose = ({ subject, paragraphs, link, closing }: MailText, to: string, messageId: string) => ({
  from: env.SMTP_FROM,
  to,
  subject,
  messageId,
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
