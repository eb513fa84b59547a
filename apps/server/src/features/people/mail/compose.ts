import { env } from '../../../env.ts'

/** What a mail of ours says: a greeting, some paragraphs, perhaps one button. */
export type MailText = {
  subject: string
  greeting?: string
  paragraphs: string[]
  link?: { label: string; url: string }
  closing?: string
}

/** A message as a mail server takes it. */
export const compose = (
  { subject, greeting = 'Olá!', paragraphs, link, closing }: MailText,
  to: string,
  messageId: string,
) => ({
  from: env.SMTP_FROM,
  to,
  subject,
  messageId,
  headers: { 'Auto-Submitted': 'auto-generated' },
  text: [greeting, ...paragraphs, link && `${link.label}:`, link?.url, closing].filter(Boolean).join('\n\n'),
  html: `<!doctype html><html lang="pt-BR"><body style="font-family:sans-serif;font-size:15px;line-height:1.5;color:#172027">
${greeting ? `<p>${asHtml(greeting)}</p>` : ''}
${paragraphs.map((text) => `<p>${asHtml(text)}</p>`).join('\n')}
${link ? button(link) : ''}
${closing ? `<p>${asHtml(closing)}</p>` : ''}
</body></html>`,
})

const button = ({ label, url }: { label: string; url: string }) =>
  `<p><a href="${url}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0b7a75;color:#ffffff;text-decoration:none">${label}</a></p>
<p>Se o botão não funcionar, copie este endereço no navegador:<br>${url}</p>`

const asHtml = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`).replaceAll('\n', '<br>')
