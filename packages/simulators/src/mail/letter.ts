import type { Media } from '../handset.ts'

export type Letter = {
  from: string
  name?: string
  subject?: string
  text?: string
  html?: string
  cc?: string[]
  id?: string
} & { answers?: string; references?: string[]; headers?: Record<string, string>; files?: Media[] }

const word = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
const part = (type: string, bytes: Buffer, more: string[] = []) =>
  [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    ...more,
    '',
    bytes.toString('base64').replace(/.{76}/g, '$&\r\n'),
  ].join('\r\n')

const joined = (parts: string[], boundary: string) =>
  `${parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('')}--${boundary}--\r\n`

/** A letter as a mail program writes it. */
export const rawOf = (letter: Letter & { id: string }, to: string): Buffer => {
  const {
    id,
    from,
    name = '',
    subject = '',
    cc = [],
    answers,
    references = [],
    headers = {},
    text,
    html,
    files = [],
  } = letter
  const boundary = `=_${id.replace(/\W/g, '').slice(0, 40)}`
  const head = [
    `Message-ID: ${id}`,
    `Date: ${new Date().toUTCString()}`,
    `From: ${name ? `${word(name)} ` : ''}<${from}>`,
    `To: <${to}>`,
    ...(cc.length ? [`Cc: ${cc.join(', ')}`] : []),
    `Subject: ${word(subject)}`,
    ...(answers ? [`In-Reply-To: ${answers}`] : []),
    ...(references.length ? [`References: ${references.join(' ')}`] : []),
    ...Object.entries(headers).map(([key, value]) => `${key}: ${value}`),
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
  ]
  const words = [
    ...(text === undefined ? [] : [part('text/plain; charset=utf-8', Buffer.from(text))]),
    ...(html === undefined ? [] : [part('text/html; charset=utf-8', Buffer.from(html))]),
  ]
  const parts = [
    `Content-Type: multipart/alternative; boundary="${boundary}a"\r\n\r\n${joined(words, `${boundary}a`)}`,
    ...files.map(({ bytes, mimeType, filename = 'arquivo' }) =>
      part(mimeType, bytes, [`Content-Disposition: attachment; filename="${word(filename)}"`]),
    ),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${joined(parts, boundary)}`)
}
