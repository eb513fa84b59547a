import { createHash } from 'node:crypto'
import { isRequest, linesOf } from '@balcao/contract/conversations/interactive.ts'
import { messageLabels } from '@balcao/contract/conversations/message-labels.ts'
import type { Interactive, MessageType } from '@balcao/contract/conversations/messages.ts'

export type TranscriptLine = {
  at: Date
  fromMe: boolean
  type: MessageType
  body: string
  /** Name of the file that came with it. */
  file: string | null
  /** Its choices, or what it asks for. */
  interactive: Interactive | null
  isDeleted: boolean
  isEdited: boolean
}
export type Transcript = {
  company: string
  contact: string
  protocol: string
  queue: string | null
  openedAt: Date
  closedAt: Date | null
  timeZone: string
  /** Older messages were left out. */
  isCut: boolean
  lines: TranscriptLine[]
}

export const sha256Of = (content: string) => createHash('sha256').update(content, 'utf8').digest('hex')

/** The conversation as plain text. The same conversation gives the same file, and so the same fingerprint. */
export const textTranscript = (given: Transcript): string => {
  const content = plainContent(given)
  return `${content}\nSHA-256 do conteúdo acima: ${sha256Of(content)}\n`
}

const plainContent = (given: Transcript): string => {
  const { format } = formatterOf(given)
  const said = given.lines.map((line) => `[${format(line.at)}] ${authorOf(given, line)}: ${indented(wordsOf(line))}`)
  return [
    ...headOf(given).map(([label, value]) => `${label}: ${indented(value)}`),
    '',
    ...noteOf(given),
    ...said,
    ...endOf(given),
    '',
  ]
    .join('\n')
    .concat('\n')
}

/** The same as a page of its own: no script, nothing fetched, everything the people wrote as text. */
export const htmlTranscript = (given: Transcript): string => {
  const { format } = formatterOf(given)
  const said = given.lines.map(
    (line) =>
      `<li class="${line.fromMe ? 'ours' : 'theirs'}"><p class="who">${escaped(authorOf(given, line))} <time datetime="${line.at.toISOString()}">${format(line.at)}</time></p><p>${escaped(wordsOf(line)).replaceAll('\n', '<br>')}</p></li>`,
  )
  const head = headOf(given).map(([label, value]) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`)
  const notes = [...noteOf(given), ...endOf(given)].map((note) => `<p class="note">${escaped(note)}</p>`)
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Protocolo ${escaped(given.protocol)}</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>Protocolo ${escaped(given.protocol)}</h1>
<dl>${head.join('')}</dl>
<ol>
${said.join('\n')}
</ol>
${notes.join('\n')}
<footer>SHA-256 da conversa em texto: <code>${sha256Of(plainContent(given))}</code></footer>
</main>
</body>
</html>
`
}

const headOf = (given: Transcript): [string, string][] => {
  const { format } = formatterOf(given)
  return [
    ['Empresa', given.company],
    ['Protocolo', given.protocol],
    ['Contato', given.contact],
    ...(given.queue ? ([['Setor', given.queue]] as [string, string][]) : []),
    ['Aberto em', format(given.openedAt)],
    ['Situação', given.closedAt ? `Encerrado em ${format(given.closedAt)}` : 'Em andamento'],
    ['Horários', given.timeZone],
  ]
}
const noteOf = ({ isCut }: Transcript) => (isCut ? ['As mensagens mais antigas ficaram fora deste arquivo.', ''] : [])
const endOf = (given: Transcript) =>
  given.closedAt ? [`Atendimento encerrado em ${formatterOf(given).format(given.closedAt)}.`] : []

const authorOf = ({ company, contact }: Transcript, { fromMe }: TranscriptLine) =>
  (fromMe ? company : contact).replace(/\s+/g, ' ')
/** What follows within a message is indented, so that no message can look like another's. */
const indented = (text: string) => text.replace(/[\r\n\u0085\u2028\u2029]+/g, '\n    ')

const wordsOf = ({ type, body, file, interactive, isDeleted, isEdited }: TranscriptLine): string => {
  if (isDeleted) return '(mensagem apagada)'
  // A template and choices are read by their words.
  const kind = type === 'template' || type === 'buttons' ? undefined : messageLabels[type]
  const parts = [
    kind && `[${kind}${file ? `: ${file}` : ''}]`,
    body,
    interactive && listOf(interactive),
    isEdited && '(editada)',
  ]
  return parts.filter(Boolean).join('\n')
}

const listOf = (interactive: Interactive) =>
  linesOf(interactive)
    .map((line) => (isRequest(interactive) ? line : `• ${line}`))
    .join('\n')

const formatterOf = ({ timeZone }: Transcript) => {
  const formatter = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  return { format: (at: Date) => formatter.format(at).replace(',', '') }
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const styles = `body{margin:0;background:#f4f6f8;color:#17212b;font:15px/1.5 system-ui,sans-serif}main{max-width:720px;margin:0 auto;padding:24px 16px}h1{font-size:20px;margin:0 0 12px}dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:0 0 24px}dt{color:#55636f}dd{margin:0}ol{list-style:none;margin:0;padding:0;display:grid;gap:8px}li{background:#fff;border:1px solid #dde3e8;border-radius:12px;padding:8px 12px;max-width:85%;overflow-wrap:anywhere}li.ours{justify-self:end;background:#e6f4f3}p{margin:0}.who{font-size:13px;font-weight:600}.who time{font-weight:400;color:#55636f}.note{margin:16px 0 0;color:#55636f}footer{margin-top:24px;font-size:12px;color:#55636f;overflow-wrap:anywhere}@media print{body{background:#fff}}`
