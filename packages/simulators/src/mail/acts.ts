import { randomUUID } from 'node:crypto'
import { actsOf, type HandsetAct, type HandsetCustomer, type Media } from '../handset.ts'
import { sampleMedia } from '../samples.ts'
import type { Letter } from './letter.ts'
import type { Mailbox } from './mailbox.ts'

export type MailCustomer = HandsetCustomer & {
  write: (letter: Omit<Letter, 'from'>, shown?: { folder?: Mailbox }) => Promise<string>
}
type World = {
  address: string
  customers: () => MailCustomer[]
  junk: Mailbox
  /** A mail of anybody, or as it is. */
  deliver: (letter: Letter) => string
  deliverRaw: (raw: string) => void
}

const subject = { name: 'subject', label: 'Assunto', value: 'Pedido' }
const text = { name: 'text', label: 'Texto', isLong: true, isRequired: true }
const kinds: Record<string, { label: string; headers?: Record<string, string> }> = {
  plain: { label: 'Comum' },
  absent: { label: 'Resposta automática de ausência', headers: { 'Auto-Submitted': 'auto-replied' } },
  list: { label: 'Boletim', headers: { 'List-Unsubscribe': '<https://boletim.example/sair>', Precedence: 'bulk' } },
  forged: {
    label: 'Remetente que o servidor não confirmou',
    headers: { 'Authentication-Results': 'mx.local; dmarc=fail; spf=fail' },
  },
}
const invitation = [
  'BEGIN:VCALENDAR',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'SUMMARY:Reunião',
  'LOCATION:Loja Aurora',
  'DTSTART:20261210T173000Z',
  'DTEND:20261210T183000Z',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n')
const files: Record<string, { label: string; media: () => Media[] }> = {
  none: { label: 'Nenhum', media: () => [] },
  pdf: { label: 'Um PDF', media: () => [sampleMedia('document')] },
  both: { label: 'Uma foto e um PDF', media: () => [sampleMedia('image'), sampleMedia('document')] },
  invitation: {
    label: 'Um convite',
    media: () => [{ bytes: Buffer.from(invitation), mimeType: 'text/calendar', filename: 'convite.ics' }],
  },
}
const labels = (options: Record<string, { label: string }>) =>
  Object.fromEntries(Object.entries(options).map(([key, { label }]) => [key, label]))
const addresses = (written = '') => written.split(/[,;]\s*/).filter(Boolean)

/** What people and servers do by mail. */
export const createActs = ({ address, customers, junk, deliver, deliverRaw }: World): HandsetAct[] =>
  actsOf(customers, [
    {
      id: 'write',
      label: 'Escrever um e-mail inteiro',
      fields: [
        subject,
        { name: 'cc', label: 'Com cópia para', value: '' },
        text,
        { name: 'html', label: 'HTML (opcional)', isLong: true },
        { name: 'file', label: 'Anexo', options: labels(files) },
        { name: 'kind', label: 'Tipo', options: labels(kinds) },
        { name: 'folder', label: 'Chega em', options: { inbox: 'Caixa de entrada', junk: 'Lixo eletrônico' } },
      ],
      run: (customer, asked) =>
        customer.write(
          {
            subject: asked.subject,
            text: asked.text,
            html: asked.html || undefined,
            cc: addresses(asked.cc),
            files: files[asked.file ?? '']?.media(),
            headers: kinds[asked.kind ?? '']?.headers,
          },
          { folder: asked.folder === 'junk' ? junk : undefined },
        ),
    },
    {
      id: 'stranger',
      label: 'Um estranho diz responder',
      of: 'business',
      fields: [{ name: 'from', label: 'De', value: 'golpista@example.net', isRequired: true }, text],
      run: (_customer, { from = '', text: body }, line) =>
        deliver({ from, subject: 'Re: Pedido', text: body, answers: line, references: [line] }),
    },
    {
      id: 'bounce',
      label: 'Devolver',
      of: 'business',
      run: ({ id }, _values, line) => deliverRaw(bounceOf({ of: line, to: id, address })),
    },
  ])

/** A report that it was not delivered (RFC 3464). */
const bounceOf = ({ of, to, address }: { of: string; to: string; address: string }) =>
  [
    `Message-ID: <${randomUUID()}@mx.example>`,
    'From: Mail Delivery System <MAILER-DAEMON@mx.example>',
    `To: <${address}>`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=B',
    '',
    '--B',
    'Content-Type: text/plain',
    '',
    'The message could not be delivered.',
    '--B',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; ${to}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 no such user',
    '',
    '--B',
    'Content-Type: message/rfc822',
    '',
    `Message-ID: ${of}`,
    `To: ${to}`,
    '',
    '--B--',
    '',
  ].join('\r\n')
