import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import type { ImapFlow } from 'imapflow'
import { EgressError } from '../../kit/egress.ts'
import { AppError } from '../../kit/errors.ts'
import { ChannelError } from '../adapter.ts'
import { type Context, proofOf, serverOf } from './servers.ts'

/** The mailbox itself; what lies in other folders is not brought. */
export const inbox = 'INBOX'
/** Of one message: what is larger stays in the mailbox, and the conversation says so. */
export const mostBytes = 35 * 1024 * 1024

/**
 * A connection to the mailbox, logged in, along the way out of this channel; whoever asks for it closes it. One that
 * `listens` is told of what comes while nothing is asked of it.
 */
export const openMailbox = async (context: Context, { listens = false } = {}): Promise<ImapFlow> => {
  try {
    const { host, port, security } = serverOf(context, 'imap')
    const auth = await proofOf(context)
    const { ImapFlow } = await import('imapflow')
    const socket = await context.egress.connect({ host, port })
    const upgraded = (onSecure: () => void) => {
      const name = host.replace(/^\[|\]$/g, '')
      return tls.connect({ socket, host: name, servername: /^[\d.]+$|:/.test(name) ? '' : name }, onSecure)
    }
    const client = new ImapFlow({
      host,
      port,
      secure: security === 'tls',
      doSTARTTLS: security === 'starttls',
      auth,
      logger: false,
      disableCompression: true,
      // Servers end an IDLE after half an hour, and some networks sooner.
      maxIdleTime: 5 * 60_000,
      autoIdleDelay: 50,
      disableAutoIdle: !listens,
      connectionTimeout: 15_000,
      greetingTimeout: 15_000,
      socketTimeout: 10 * 60_000,
      maxLiteralSize: mostBytes + 1024,
      maxResponseSize: mostBytes + 1024 * 1024,
      transport: {
        connect: ({ secure }, onConnect) => {
          if (secure) return upgraded(onConnect)
          setImmediate(onConnect)
          return socket
        },
        upgrade: (_plain: Duplex, _options, onSecure) => upgraded(onSecure),
      },
    })
    client.on('error', () => {}) // whoever waits for an answer hears of it
    await client.connect()
    return client
  } catch (error) {
    throw noMailbox(error, context)
  }
}

type Errand<T> = (client: ImapFlow) => Promise<T>
type Kept = { client: ImapFlow; last: Promise<unknown>; leaving: NodeJS.Timeout | undefined }
const keptMs = 30_000
const kept = new Map<string, Promise<Kept>>()

/**
 * One errand in the mailbox. They go one after the other over one connection, which is kept for those that follow soon:
 * a mail with twenty files is one login. One that broke while nobody used it is opened anew.
 */
export const inMailbox = async <T>(context: Context, work: Errand<T>, isAgain = false): Promise<T> => {
  const key = createHash('sha256')
    .update(JSON.stringify([context.connectionId, context.config]))
    .digest('base64')
  const known = kept.get(key)
  const opening = known ?? open(context)
  kept.set(key, opening)
  const forget = () => {
    if (kept.get(key) === opening) kept.delete(key)
  }
  if (!known) opening.then(({ client }) => client.once('close', forget), forget)
  const one = await opening
  clearTimeout(one.leaving)
  const done = one.last.then(() => work(one.client))
  one.last = done.catch(() => {})
  try {
    return await done
  } catch (error) {
    if (error instanceof ChannelError) throw error
    one.client.close()
    forget()
    if (known && !isAgain) return inMailbox(context, work, true)
    throw noMailbox(error, context)
  } finally {
    clearTimeout(one.leaving)
    one.leaving = setTimeout(() => one.client.close(), keptMs).unref()
  }
}

const open = async (context: Context): Promise<Kept> => ({
  client: await openMailbox(context),
  last: Promise.resolve(),
  leaving: undefined,
})

/** The same with a folder open, which stays as it is. */
export const inFolder = <T>(context: Context, path: string, work: Errand<T>): Promise<T> =>
  inMailbox(context, async (client) => {
    await client.mailboxOpen(path, { readOnly: true })
    return work(client)
  })

/** The folder a server says is for this (RFC 6154), or that is called so. */
export const folderFor = async (client: ImapFlow, use: '\\Junk' | '\\Sent'): Promise<string | undefined> =>
  (await client.list()).find(({ specialUse }) => specialUse === use)?.path

/** Why the mailbox did not open, or closed. */
export const noMailbox = (error: unknown, { config }: Pick<Context, 'config'>): ChannelError => {
  if (error instanceof ChannelError) return error
  if (error instanceof AppError) return new ChannelError('final', error.message, { isConnectionBroken: true })
  const field = (name: string) => (typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined)
  if (field('authenticationFailed') === true)
    return new ChannelError('final', 'A caixa de e-mail não deixou entrar.', {
      isConnectionBroken: true,
      forAdmin: {
        text:
          config.login === 'account'
            ? notOfAccount(config.address)
            : 'O servidor de entrada recusou o usuário ou a senha. Confira-os e se o acesso por IMAP está ativo.',
      },
    })
  const isCertificate = /^ERR_TLS_CERT|^CERT_|^UNABLE_TO_|SELF_SIGNED_CERT/.test(String(field('code')))
  return new ChannelError('retry', 'A caixa de e-mail não respondeu.', {
    forAdmin: {
      text: isCertificate
        ? 'O certificado do servidor de entrada não é válido para este endereço. Confira o servidor.'
        : error instanceof EgressError && error.isByProxy
          ? 'O servidor de entrada não respondeu pelo proxy deste canal. Teste-o em Configurações, Proxies.'
          : 'O servidor de entrada não respondeu. Confira o endereço, a porta e a segurança.',
    },
  })
}

/** The token is good, and this mailbox is not its account's. */
export const notOfAccount = (address: string) =>
  `A conta autorizada não abre a caixa ${address}. Confira se é a mesma conta e se o acesso por IMAP e SMTP está ativo, e autorize outra vez.`
