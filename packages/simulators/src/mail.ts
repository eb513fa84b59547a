import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Handset, HandsetCustomer, Line, Media, MediaKind } from './handset.ts'
import { createActs } from './mail/acts.ts'
import { startImapServer } from './mail/imap-server.ts'
import { type Letter, rawOf } from './mail/letter.ts'
import { createMailbox, type Mailbox } from './mail/mailbox.ts'
import { createSimulator, findLine, type RecordedRequest, type SimulatorOptions } from './simulator.ts'

export type MailSimulator = Awaited<ReturnType<typeof startMailSimulator>>

/** A mailbox at a provider: read by IMAP, which is ours, and sent from by SMTP, which is the npm package. */
export const startMailSimulator = async (
  options: SimulatorOptions & {
    address: string
    password: string
    imapPort?: number
    smtpPort?: number
    /** Whoever is written to has a phone from then on. */
    opensMailboxes?: boolean
  },
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
        if (options.opensMailboxes)
          for (const address of to)
            if (!customers.has(address)) customer({ address, name: nameOf(address) }).receive(mail)
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

  const deliver = (letter: Letter, folder = mailbox): string => {
    const id = letter.id ?? `<${randomUUID()}@${letter.from.split('@')[1]}>`
    const raw = rawOf({ ...letter, id }, account.address)
    for (let copy = 0; copy <= core.delivery.duplicate; copy += 1) folder.deliver(raw)
    core.changed()
    return id
  }

  const newCustomer = (address: string, name: string) => {
    const transcript: Line[] = []
    const lines = (from: Line['from']) => transcript.filter((line) => line.from === from)
    const keep = (line: Partial<Line> & Pick<Line, 'id' | 'from' | 'type'>) =>
      void transcript.push({ at: core.now(), reactions: {}, state: 'delivered', payload: undefined, ...line })
    const never = () => Promise.reject(new Error('Mail has no such thing'))
    const write = async (
      letter: Omit<Letter, 'from'>,
      { folder, ...more }: Partial<Line> & { folder?: Mailbox } = {},
    ) => {
      const answered = letter.answers ? subjectOf(findLine(transcript, letter.answers)) : undefined
      const { subject = answered ?? 'Pedido' } = letter
      const id = deliver({ ...letter, subject, from: address, name }, folder)
      const [media] = letter.files ?? []
      keep({
        id,
        from: 'customer',
        type: media ? 'document' : 'text',
        header: subject,
        text: letter.text,
        media,
        ...more,
      })
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
        header: mail.subject,
        footer: mail.attachments.length > 1 ? `${mail.attachments.length} anexos` : undefined,
        text: (mail.text ?? '').replace(/\r\n/g, '\n').replace(/\n+$/, ''),
        media: file && bytes ? { bytes, mimeType: file.mimeType, filename: file.filename ?? undefined } : undefined,
        replyTo: mail.inReplyTo,
        payload: mail,
      })
    }
    return Object.assign(customer, { write, receive })
  }

  const customer = ({ address, name }: { address: string; name: string }) => {
    const known = customers.get(address)
    if (known) return known
    const made = newCustomer(address, name)
    customers.set(address, made)
    core.changed()
    return made
  }
  await core.listen()
  return {
    ...core,
    get url() {
      return core.url
    },
    channel: 'email' as const satisfies Handset['channel'],
    businessName: options.address,
    businessHandle: options.address,
    get customers() {
      return [...customers.values()]
    },
    knownFaults: [
      {
        id: '550',
        label: '550 · endereço não existe',
        fault: { status: 550, body: '5.1.1 no such user', match: 'RCPT' },
      },
      { id: '451', label: '451 · tente mais tarde', fault: { status: 451, body: '4.7.1 Greylisted', match: 'RCPT' } },
      { id: '554', label: '554 · recusado como spam', fault: { status: 554, body: '5.7.1 Spam', match: 'DATA' } },
      { id: 'drop', label: 'cair antes de aceitar', fault: { drop: true, match: 'RCPT' } },
      { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match: 'DATA' } },
    ],
    acts: createActs({
      address: options.address,
      customers: () => [...customers.values()],
      junk,
      deliver,
      deliverRaw: (raw) => mailbox.deliver(raw),
    }),
    newCustomer: ({ name, handle }: { name: string; handle?: string }) =>
      customer({ name, address: handle?.toLowerCase() || `${randomUUID().slice(0, 8)}@example.com` }),
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
    customer,
    close: async () => {
      await imap.close()
      await new Promise<void>((resolve) => smtp.close(() => resolve()))
      await core.close()
    },
  }
}

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

const nameOf = (address: string) => address.split('@', 1)[0] ?? address
const subjectOf = (line: Line | undefined) => line?.header && `Re: ${line.header.replace(/^Re: /, '')}`
