import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { HandsetCustomer, Line, Media, MediaKind } from './handset.ts'
import { startImapServer } from './mail/imap-server.ts'
import { createMailbox } from './mail/mailbox.ts'
import { createSimulator, type RecordedRequest, type SimulatorOptions } from './simulator.ts'

export type MailSimulator = Awaited<ReturnType<typeof startMailSimulator>>

type Letter = {
  from: string
  name?: string
  subject?: string
  text?: string
  html?: string
  cc?: string[]
  id?: string
} & { answers?: string; references?: string[]; headers?: Record<string, string>; files?: Media[] }

/** A mailbox at a provider: read by IMAP, which is ours, and sent from by SMTP, which is the npm package. */
export const startMailSimulator = async (
  options: SimulatorOptions & { address: string; password: string; imapPort?: number; smtpPort?: number },
) => {
  const core = await createSimulator(options)
  const { requests, faults } = core
  const mailbox = createMailbox()
  const [junk, sentFolder] = [createMailbox(), createMailbox()]
  /** `tokens`: what an OAuth provider has given out, and has not taken back. */
  const account = { address: options.address, password: options.password, tokens: new Set<string>() }
  const isLogin = (
    user: string | undefined,
    { password, token }: { password?: string | null; token?: string | null },
  ) => user === account.address && (token == null ? password === account.password : account.tokens.has(token))
  const customers = new Map<string, ReturnType<typeof newCustomer>>()
  const outbox: { mail: Email; raw: Buffer; to: string[] }[] = []

  const record = (method: string, path: string, body: unknown): RecordedRequest => {
    const request = { at: core.now(), method, path, query: {}, headers: {}, body, files: {} }
    requests.push(request)
    if (requests.length > 2_000) requests.shift()
    return request
  }

  let logins = 0
  const imap = await startImapServer({
    port: options.imapPort,
    mailbox,
    folders: {
      'Lixo eletr&APQ-nico': { use: '\\Junk', mailbox: junk },
      Enviados: { use: '\\Sent', mailbox: sentFolder },
    },
    login: (user, secret) => {
      logins += 1
      return isLogin(user, secret)
    },
    asked: (command) => {
      const fault = faults.take(record('IMAP', command, undefined))
      return fault?.status === 404 || fault?.status === 410 ? 'gone' : undefined
    },
  })

  const smtp = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    size: 40 * 1024 * 1024,
    onAuth: ({ username, password, accessToken: token }, _session, done) => {
      const isRight = isLogin(username, { password, token })
      done(
        isRight ? null : refusal(535, '5.7.8 Username and Password not accepted'),
        isRight ? { user: username } : undefined,
      )
    },
    onRcptTo: (_address, session, done) => {
      const fault = faults.take(record('SMTP', 'RCPT', undefined))
      if (!fault || fault.afterAccepting) {
        if (fault) cutAfter.add(session.id)
        return done()
      }
      if (fault.drop) return cut(session.id)
      done(refusal(fault.status ?? 451, String(fault.body ?? 'try again later')))
    },
    onConnect: (session, done) => {
      live.add(session.id)
      done()
    },
    onData: (stream, session, done) => {
      void (async () => {
        const raw = await buffer(stream)
        const fault = faults.take(record('SMTP', 'DATA', undefined))
        if (fault?.status && !fault.afterAccepting) return done(refusal(fault.status, String(fault.body ?? 'no')))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const mail = await PostalMime.parse(raw)
        outbox.push({ mail, raw, to })
        for (const address of to) customers.get(address)?.receive(mail)
        core.changed()
        if (cutAfter.delete(session.id) || fault?.afterAccepting) return cut(session.id)
        done()
      })()
    },
  })
  const live = new Set<string>()
  const cutAfter = new Set<string>()
  const cut = (sessionId: string) => {
    for (const connection of smtp.connections) if (connection.session.id === sessionId) connection.close()
  }
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(options.smtpPort ?? 0, '127.0.0.1', resolve))
  const smtpAddress = smtp.server.address()
  if (smtpAddress === null || typeof smtpAddress === 'string') throw new Error('no port')

  const deliver = (letter: Letter): string => {
    const id = letter.id ?? `<${randomUUID()}@${letter.from.split('@')[1]}>`
    const raw = rawOf({ ...letter, id }, account.address)
    for (let copy = 0; copy <= core.delivery.duplicate; copy += 1) mailbox.deliver(raw)
    core.changed()
    return id
  }

  const newCustomer = (address: string, name: string) => {
    const transcript: Line[] = []
    const lines = (from: Line['from']) => transcript.filter((line) => line.from === from)
    const keep = (line: Partial<Line> & Pick<Line, 'id' | 'from' | 'type'>) =>
      void transcript.push({ at: core.now(), reactions: {}, state: 'delivered', payload: undefined, ...line })
    const never = () => Promise.reject(new Error('Mail has no such thing'))
    const write = async (letter: Omit<Letter, 'from'>, more: Partial<Line> = {}) => {
      const id = deliver({ subject: 'Pedido', ...letter, from: address, name })
      keep({ id, from: 'customer', type: 'text', text: letter.text, ...more })
      return id
    }
    const customer: HandsetCustomer = {
      id: address,
      name,
      handle: address,
      transcript,
      get inbox() {
        return lines('business')
      },
      isBusinessTyping: false,
      autoRead: false,
      read: async () => {},
      sendText: (text, { replyTo } = {}) => write({ text, answers: replyTo, references: replyTo ? [replyTo] : [] }),
      sendMedia: (kind: MediaKind, media: Media, caption?: string) =>
        write({ text: caption, files: [{ filename: `${kind}.bin`, ...media }] }, { type: kind, media }),
      sendPlace: never,
      sendCard: never,
      react: never,
      press: never,
      sendPoll: never,
      vote: never,
    }
    const receive = (mail: Email) => {
      const [file] = mail.attachments
      const bytes = file && Buffer.from(file.content as Uint8Array)
      keep({
        id: mail.messageId ?? '',
        from: 'business',
        type: file ? (file.mimeType.startsWith('audio/ogg') ? 'voice' : 'document') : 'text',
        text: (mail.text ?? '').replace(/\r\n/g, '\n').replace(/\n+$/, ''),
        media: file && bytes ? { bytes, mimeType: file.mimeType, filename: file.filename ?? undefined } : undefined,
        replyTo: mail.inReplyTo,
        payload: mail,
      })
    }
    return Object.assign(customer, { write, receive })
  }

  await core.listen()
  return {
    ...core,
    get url() {
      return core.url
    },
    account,
    mailbox,
    junk,
    sentFolder,
    /** How often somebody has logged in over IMAP. */
    logins: () => logins,
    /** What left the mailbox, as it stood on the wire. */
    outbox,
    imapPort: imap.port,
    smtpPort: smtpAddress.port,
    hangUp: imap.hangUp,
    connections: imap.connections,
    deliver,
    customer: ({ address, name }: { address: string; name: string }) => {
      const made = newCustomer(address, name)
      customers.set(address, made)
      return made
    },
    close: async () => {
      await imap.close()
      await new Promise<void>((resolve) => smtp.close(() => resolve()))
      await core.close()
    },
  }
}

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

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
