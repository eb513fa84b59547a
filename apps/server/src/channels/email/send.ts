import { Readable } from 'node:stream'
import { htmlOfMarked } from '@balcao/contract/conversations/marked-html.ts'
import type { Outbound } from '../adapter.ts'
import { ChannelError } from '../adapter.ts'
import { fileOf, noAnswer, unclear } from '../http-errors.ts'
import { folderFor, inMailbox, notOfAccount } from './imap.ts'
import { isOfNobody } from './letter.ts'
import { type Context, proofOf, serverOf } from './servers.ts'

/** A file of a mail, and what else is said in it, is a message of its own here. */
export const partOf = (id: string, at: number) => (at === 0 ? id : `${id}:${at}`)

/** The id a message of ours has everywhere: made before it leaves, the same each time. */
export const messageIdOf = (id: string, { address }: { address: string }) => `<${id}@${address.split('@')[1]}>`

export const sendMail = async (message: Outbound, context: Context) => ({
  providerId: await post(message, [], context),
})

/** As whoever writes to people does it: one mail with the words and all files. */
export const sendAttached = async (messages: Outbound[], context: Context) => {
  const [first, ...others] = messages
  if (!first) throw new ChannelError('final', 'Este e-mail está vazio.')
  const size = messages.reduce((sum, { media }) => sum + (media?.size ?? 0), 0)
  if (size > mostBytes) throw new ChannelError('final', 'Estes anexos juntos são grandes demais para um e-mail.')
  const id = await post(first, others, context)
  return { providerIds: messages.map((_, at) => partOf(id, at)) }
}
/** What most servers take, before its bytes become letters. */
const mostBytes = 25_000_000

const post = async (message: Outbound, others: Outbound[], context: Context): Promise<string> => {
  const { address } = context.config
  const to = message.to.find(({ kind }) => kind === 'email')?.value
  if (!to) throw new ChannelError('final', 'O contato não tem um endereço de e-mail.', { isUnreachable: true })
  if (isOfNobody(to))
    throw new ChannelError('final', 'Este e-mail chegou sem um endereço válido: não há a quem responder.')
  const providerId = message.providerId ?? messageIdOf(message.id, context.config)
  const raw = await written([message, ...others], { to, providerId }, context)
  const { cc = [], bcc = [] } = message.mail ?? {}
  const copies = [...new Set([...cc, ...bcc])].filter((one) => one !== to)
  await withServer(context, (server) => handOver(server, { from: address, to: [to, ...copies] }, raw))
  keepCopy(context, raw)
  return providerId
}

/** Beside what people send from elsewhere. Google and Microsoft keep what leaves by them. It has left, whatever comes of this. */
const keepCopy = (context: Context, raw: Buffer) => {
  if (context.config.login === 'account') return
  inMailbox(context, async (client) => {
    const folder = client.capabilities.has('X-GM-EXT-1') ? undefined : await folderFor(client, '\\Sent')
    if (folder) await client.append(folder, raw, ['\\Seen'])
  }).catch(() => {})
}

/** A letter as it goes over the wire, headed as the first of them says. */
export const written = async (
  messages: [Outbound, ...Outbound[]],
  { to, providerId }: { to: string; providerId: string },
  { config }: Context,
): Promise<Buffer> => {
  const [message] = messages
  const { mail, quotedProviderId } = message
  const body = wordsOf(messages)
  const signature = messages.find((one) => one.signature)?.signature
  const files = await Promise.all(messages.filter(({ media, type }) => media || type !== 'text').map(fileOf))
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  // A file of a mail is a message of its own here, under the mail's id with its place.
  const [quoted] = /^<[^<>]+>/.exec(quotedProviderId ?? '') ?? []
  const references = [...(mail?.references ?? []), ...(quoted ? [quoted] : [])]
  const answers = quoted ?? references.at(-1)
  const [, ...others] = messages
  const html = mail?.html ? withWords(mail.html, wordsOf(others)) : body ? htmlOfMarked(body) : undefined
  const composer = new MailComposer({
    from: { address: config.address, name: config.fromName },
    to,
    cc: mail?.cc.filter((one) => one !== to),
    subject: mail?.subject || `Mensagem de ${config.fromName || config.address}`,
    messageId: providerId,
    inReplyTo: answers,
    references: [...new Set(references)],
    headers: headersOf(message),
    // Programs know by this line where a signature begins (RFC 3676), and leave it out of quotes.
    text: signature ? `${body}\n\n-- \n${signature}` : body,
    html: html && signature ? `${html}<br><div class="signature">${htmlOfMarked(signature)}</div>` : html,
    textEncoding: 'base64', // lines and spaces arrive as they were written
    attachments: await Promise.all(
      files.map(async ({ name, mime, file }) => ({
        filename: name,
        content: Buffer.from(await file.arrayBuffer()),
        contentType: mime,
      })),
    ),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/** The text before what stands beside the files. */
const wordsOf = (messages: Outbound[]): string => {
  const { text = [], file = [] } = Object.groupBy(messages, ({ media }) => (media ? 'file' : 'text'))
  return [...text, ...file].flatMap(({ body }) => (body.trim() ? body : [])).join('\n\n')
}

/** What stands beside the files was typed without a form. */
const withWords = (html: string, words: string) => (words ? `${html}<br><br>${htmlOfMarked(words)}` : html)

/** One click on what mail programs show beside the sender is enough (RFC 8058). */
const headersOf = ({ unsubscribe, isAutomatic }: Outbound): Record<string, string> => {
  if (unsubscribe)
    return {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      Precedence: 'bulk',
    }
  return isAutomatic ? { 'Auto-Submitted': 'auto-replied' } : {}
}

type Server = Awaited<ReturnType<typeof openServer>>

/** Logs in and does one thing. */
export const withServer = async <T>(context: Context, work: (server: Server) => Promise<T>): Promise<T> => {
  let server: Server | undefined
  try {
    server = await openServer(context)
    const done = await work(server)
    server.quit()
    return done
  } catch (error) {
    server?.close()
    throw refusal(error, context)
  }
}

const openServer = async (context: Context) => {
  const { host, port, security } = serverOf(context, 'smtp')
  const { user, pass, accessToken } = await proofOf(context)
  const { egress } = context
  const { address } = context.config
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const { default: XOAuth2 } = await import('nodemailer/lib/xoauth2')
  const connection = await egress.connect({ host, port })
  const server = new SMTPConnection({
    host,
    port,
    connection,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    name: address.split('@')[1],
    greetingTimeout: 10_000,
    socketTimeout: 60_000,
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.connect((error) => (error ? reject(error) : resolve()))
  })
  server.on('error', () => {}) // whoever waits for an answer hears of it
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      const auth = accessToken ? { user, oauth2: new XOAuth2({ user, accessToken }) } : { credentials: { user, pass } }
      server.login({ user, pass, ...auth }, (error) => (error ? reject(error) : resolve()))
    })
  } catch (error) {
    server.close()
    throw error
  }
  return server
}

/** Once the server asked for the letter, silence does not tell whether it has it. */
const handOver = (server: Server, envelope: { from: string; to: string[] }, raw: Buffer) =>
  new Promise<void>((resolve, reject) => {
    let isLeaving = false
    let rest: Buffer | null = raw
    const letter = new Readable({
      read() {
        isLeaving = true
        this.push(rest)
        rest = null
      },
    })
    const fail = (error: unknown) =>
      reject(isLeaving && !codeOf(error) ? unclear('O servidor de e-mail não confirmou o envio.') : error)
    server.once('error', fail)
    server.send({ ...envelope, size: raw.length }, letter, (error) => (error ? fail(error) : resolve()))
  })

const fieldOf = (error: unknown, name: string) =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
const codeOf = (error: unknown): number => Number(fieldOf(error, 'responseCode')) || 0

/** What the server said, told apart: our log-in, the address, this letter, or later. */
const refusal = (error: unknown, { config }: Context): ChannelError => {
  if (error instanceof ChannelError) return error
  const code = codeOf(error)
  const command = String(fieldOf(error, 'command') ?? '')
  const said = String(fieldOf(error, 'response') ?? '').slice(0, 300)
  if (fieldOf(error, 'code') === 'ETLS')
    return new ChannelError('retry', 'O servidor de e-mail não respondeu.', {
      forAdmin: { text: 'O servidor de saída não aceitou a conexão segura. Confira a segurança e a porta.' },
    })
  if (fieldOf(error, 'code') === 'EAUTH' && (code === 0 || code >= 500))
    return new ChannelError('final', 'O servidor de e-mail não deixou entrar na caixa.', {
      isConnectionBroken: true,
      forAdmin: {
        text:
          config.login === 'account'
            ? notOfAccount(config.address)
            : 'O servidor de saída recusou o usuário ou a senha.',
      },
    })
  if (code >= 400 && code < 500)
    return new ChannelError('retry', 'O servidor de e-mail pediu para tentar mais tarde.', { retryAfterMs: 60_000 })
  if (code === 552 || fieldOf(error, 'code') === 'EMESSAGE')
    return code === 552 || code === 0
      ? new ChannelError('final', 'O arquivo é grande demais para o servidor de e-mail.')
      : new ChannelError('final', `O servidor de e-mail recusou a mensagem: ${said}`)
  if (code >= 500 && command.startsWith('RCPT TO')) {
    const isUnknown = /\b5\.1\.(1|10)\b/.test(said) || (code === 550 && !/\b5\.\d/.test(said))
    return new ChannelError('final', `O servidor recusou o endereço do contato: ${said}`, { isUnreachable: isUnknown })
  }
  if (code >= 500) return new ChannelError('final', `O servidor de e-mail recusou a mensagem: ${said}`)
  return noSocket(error)
}

const noSocket = (error: unknown): ChannelError => {
  const known = noAnswer(error, true)
  if (known.outcome !== 'uncertain') return known
  return new ChannelError('retry', 'O servidor de e-mail não respondeu.', {
    forAdmin: { text: 'O servidor de saída não respondeu. Confira o endereço, a porta e a segurança.' },
  })
}
