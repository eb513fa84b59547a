import { startMailSimulator } from '@balcao/simulators/mail.ts'
import type { Email } from 'postal-mime'
import { z } from 'zod'
import { createEgress } from '../../kit/egress.ts'
import type { ChannelContext, JournalPiece, SessionHost } from '../adapter.ts'
import type { Harness } from '../conformance.stage.ts'
import { email } from './adapter.ts'

const address = 'contato@loja.com.br'
const password = 'senha-da-caixa'
const final = { outcome: 'final', isConnectionBroken: false, isUnreachable: false } as const
const retry = { outcome: 'retry', isConnectionBroken: false } as const

/** A mailbox and one process of ours in front of it; what the database would keep is kept here. For tests. */
export const startMail = async () => {
  const simulator = await startMailSimulator({ address, password })
  const egress = createEgress({ allow: ['127.0.0.1'], resolveTxt: async () => [] })
  const kept = new Map<string, string>()
  const journal = new Map<string, JournalPiece>()
  const told: string[] = []
  const heard = { keep: (_pieces: JournalPiece[]) => {} }
  const context: ChannelContext<'email'> = {
    tenantId: 1,
    connectionId: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b',
    config: {
      address,
      fromName: 'Loja Aurora',
      login: 'password',
      password,
      imapHost: '127.0.0.1',
      imapPort: simulator.imapPort,
      imapSecurity: 'none',
      smtpHost: '127.0.0.1',
      smtpPort: simulator.smtpPort,
      smtpSecurity: 'none',
    },
    hookSecret: 'segredo-do-gancho',
    webhookUrl: '',
    egress,
    http: egress.http,
  }
  const open = async () => {
    const losing = new AbortController()
    const host: SessionHost = {
      signal: losing.signal,
      receive: async (pieces, changes = {}) => {
        losing.signal.throwIfAborted()
        heard.keep(pieces)
        for (const piece of pieces)
          if (!journal.has(piece.key)) journal.set(piece.key, JSON.parse(JSON.stringify(piece)))
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) kept.delete(name)
          else kept.set(name, value)
        }
      },
      recall: async (key) => journal.get(key)?.payload,
      state: async (names = '') => new Map([...kept].filter(([name]) => name.startsWith(String(names)))),
      forget: async () => kept.clear(),
      tell: async ({ status }) => void told.push(status),
    }
    const session = await email.session?.open(context, host)
    if (!session) throw new Error('No session')
    return { session, lose: () => losing.abort() }
  }
  const next = () => readNext(kept.get('read'))
  /** All that lies in the mailbox was read. */
  const idle = async () => {
    await simulator.idle()
    for (const end = Date.now() + 20_000; next() < simulator.mailbox.box.next; )
      if (Date.now() > end) throw new Error('The mailbox was not read')
      else await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { simulator, context, kept, journal, told, heard, open, idle }
}
const readNext = (stored: string | undefined): number =>
  z.object({ next: z.int() }).safeParse(JSON.parse(stored ?? 'null')).data?.next ?? 0

/** A mailbox for the conformance suite. */
export const startConformingMail = async (): Promise<Harness<'email'>> => {
  const { simulator, context, heard, open, idle } = await startMail()
  const customer = simulator.customer({ address: 'ana@example.com', name: 'Ana Souza' })
  return {
    kind: 'email',
    adapter: email,
    simulator: { ...simulator, url: simulator.url, idle },
    config: context.config,
    hookSecret: context.hookSecret,
    customer,
    to: [{ kind: 'email', value: customer.id }],
    listen: async (_url, keep) => {
      heard.keep = keep
      await open()
      await idle()
    },
    tell: async (payload) => {
      simulator.mailbox.deliver(z.object({ raw: z.string() }).parse(payload).raw)
      await idle()
    },
    providerIdOf: ({ id }) => id,
    isSend: ({ method }) => method === 'SMTP',
    revoke: () => {
      simulator.account.password = 'outra-senha'
      simulator.hangUp() // who is in is sent away, as mailboxes do
      return () => {
        simulator.account.password = password
      }
    },
    mail: {
      write: ({ text, html, ...mail }) =>
        customer.write({ ...mail, text, html: html ?? undefined, answers: mail.references.at(-1) }),
      last: () => {
        const [sent] = simulator.outbox.slice(-1)
        return sent && mailOf(sent.mail)
      },
    },
    attached: {
      last: () => {
        const [sent] = simulator.outbox.slice(-1)
        return (
          sent && {
            text: (sent.mail.text ?? '').replace(/\r\n/g, '\n').trimEnd(),
            files: sent.mail.attachments.map(({ filename, content }) => ({
              name: filename ?? '',
              bytes: Buffer.from(content as Uint8Array),
            })),
          }
        )
      },
    },
    lacks: {
      post: 'Nobody calls us: the mailbox is read over IMAP, and sent from over SMTP.',
      ownPhone: 'What the owner writes elsewhere lies in another folder, which is not read.',
      echo: 'What we send is not laid into the mailbox it leaves from.',
      mediaByAddress: 'A received file is named by where it lies in the mailbox.',
    },
    refusals: [
      ['the connection is cut before it accepts', { drop: true }, retry],
      ['it accepts and the connection is cut', { afterAccepting: true }, { outcome: 'uncertain' }],
      ['421 busy', { status: 421, body: '4.3.2 Service shutting down' }, retry],
      ['451 greylisted', { status: 451, body: '4.7.1 Greylisted' }, { ...retry, retryAfterMs: 60_000 }],
      ['452 mailbox full', { status: 452, body: '4.2.2 Mailbox full' }, retry],
      ['550 no such user', { status: 550, body: '5.1.1 No such user' }, { ...final, isUnreachable: true }],
      ['550 refused for what it says', { status: 550, body: '5.7.1 Message refused' }, final],
      ['554 of the letter', { status: 554, body: '5.7.1 Spam' }, final],
    ],
    fixtures,
  }
}

const mailOf = ({ subject = '', cc = [], html, references = '' }: Email) => ({
  subject,
  cc: cc.flatMap(({ address: one }) => one ?? []),
  bcc: [],
  html: html?.trim() ?? null,
  references: references.split(/\s+/).filter(Boolean),
})

const fixtures: Record<string, string> = {
  attachment: 'message:text + message:document',
  bounce: 'status:failed',
  'bounce-copy': 'status:failed',
  delayed: 'message:text + message:document',
  empty: 'message:text',
  forwarded: 'message:text + message:document',
  'html-only': 'message:text',
  invitation: 'message:text + message:document',
  latin1: 'message:text',
  'logo-inline': 'message:text',
  'nested-bomb': 'message:text',
  newsletter: 'message:text',
  'no-from': 'message:text',
  'no-id': 'message:text',
  'out-of-office': 'message:text',
  own: '',
  reply: 'message:text',
  'shift-jis': 'message:text',
  'site-form': 'message:text',
  'ten-thousand-recipients': 'message:text',
  text: 'message:text',
  'unknown-charset': 'message:text',
  'windows-1252': 'message:text',
}
