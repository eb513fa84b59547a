import net from 'node:net'
import type { Mailbox, Stored } from './mailbox.ts'

/** What was asked of the server, and the fault that is to happen to it. */
export type ImapOptions = {
  /** Left out: any that is free. */
  port?: number
  mailbox: Mailbox
  /** Beside the inbox, by name: what each is for (RFC 6154). */
  folders?: Record<string, { use: string; mailbox: Mailbox }>
  login: (user: string, secret: { password?: string; token?: string }) => boolean
  /** `gone`: the messages it asks for have just been deleted. */
  asked: (command: string) => 'gone' | undefined
}

const capabilities = 'IMAP4rev1 IDLE UIDPLUS MOVE ID LITERAL+ SASL-IR AUTH=PLAIN AUTH=XOAUTH2 SPECIAL-USE'
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** An IMAP server (RFC 3501, 2177 IDLE, 6851 MOVE, 4315 UIDPLUS), for tests. */
export const startImapServer = async (options: ImapOptions) => {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    converse(socket, options)
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    /** Every line breaks, as when a server restarts. */
    hangUp: () => {
      for (const socket of sockets) socket.destroy()
    },
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Talk = {
  say: (line: string | Buffer) => void
  isIn: boolean
  isSelected: boolean
  /** The folder that is open. */
  mailbox: Mailbox
  seen: number
  idling: string | undefined
}

const converse = (socket: net.Socket, options: ImapOptions) => {
  const { mailbox } = options
  const say = (line: string | Buffer) => void socket.write(Buffer.isBuffer(line) ? line : `${line}\r\n`)
  const talk: Talk = { say, isIn: false, isSelected: false, mailbox, seen: 0, idling: undefined }
  const tellNews = () => {
    if (!talk.isSelected || talk.mailbox.box.messages.length === talk.seen) return
    talk.seen = talk.mailbox.box.messages.length
    say(`* ${talk.seen} EXISTS`)
  }
  socket.on(
    'close',
    mailbox.watch(() => talk.idling && tellNews()),
  )
  say(`* OK [CAPABILITY ${capabilities}] pronto`)

  let kept = ''
  let waiting: ((line: string) => void) | undefined
  const take = (line: string) => {
    if (waiting) {
      const answer = waiting
      waiting = undefined
      return answer(line)
    }
    if (talk.idling) {
      if (/^done$/i.test(line)) {
        say(`${talk.idling} OK IDLE terminado`)
        talk.idling = undefined
      }
      return
    }
    const [, tag = '*', command = '', rest = ''] = /^(\S+) (\S+) ?(.*)$/s.exec(line) ?? []
    const ask = (then: (line: string) => void) => {
      waiting = then
      say('+ ')
    }
    obey({ tag, command: command.toUpperCase(), rest, talk, options, ask, tellNews, end: () => socket.end() })
  }
  socket.on('data', (chunk) => {
    kept += chunk.toString('latin1')
    for (;;) {
      const end = kept.indexOf('\r\n')
      if (end < 0) return
      const [, size, isPlus] = /\{(\d+)(\+?)\}$/.exec(kept.slice(0, end)) ?? []
      if (size === undefined) {
        const line = kept.slice(0, end)
        kept = kept.slice(end + 2)
        take(Buffer.from(line, 'latin1').toString('utf8').replaceAll('\0', '\r\n'))
        continue
      }
      const from = end + 2
      const until = from + Number(size)
      if (kept.length < until) {
        if (!isPlus && kept.length === from) say('+ ')
        return
      }
      const head = kept.slice(0, end).replace(/\{\d+\+?\}$/, '')
      kept = `${head}${quoted(kept.slice(from, until)).replaceAll('\r\n', '\0')}${kept.slice(until)}`
    }
  })
}

type Asked = {
  tag: string
  command: string
  rest: string
  talk: Talk
  options: ImapOptions
  ask: (then: (line: string) => void) => void
  tellNews: () => void
  end: () => void
}

const obey = (asked: Asked) => {
  const { tag, command, rest, talk, options, ask, tellNews, end } = asked
  const { say } = talk
  const folders = Object.entries(options.folders ?? {})
  const named = (name = '') => (name.toUpperCase() === 'INBOX' ? options.mailbox : options.folders?.[name]?.mailbox)
  const ok = (text = `${command} feito`) => say(`${tag} OK ${text}`)
  const enter = (isRight: boolean) => {
    talk.isIn = isRight
    if (isRight) ok(`[CAPABILITY ${capabilities}] bem-vindo`)
    else say(`${tag} NO [AUTHENTICATIONFAILED] usuário ou senha inválidos`)
  }
  switch (command) {
    case 'CAPABILITY':
      say(`* CAPABILITY ${capabilities}`)
      return ok()
    case 'ID':
      say('* ID ("name" "simulador")')
      return ok()
    case 'LOGIN': {
      const [user = '', password = ''] = wordsOf(rest)
      return enter(options.login(user, { password }))
    }
    case 'AUTHENTICATE': {
      const [method = '', initial] = rest.split(' ')
      const prove = (line: string) => enter(isProven(method.toUpperCase(), line, options))
      return initial === undefined ? ask(prove) : prove(initial)
    }
    case 'LOGOUT':
      say('* BYE até logo')
      ok()
      return end()
    case 'NOOP':
      tellNews()
      return ok()
  }
  if (!talk.isIn) return say(`${tag} NO entre primeiro`)
  switch (command) {
    case 'NAMESPACE':
      return say(`${tag} BAD desconhecido`)
    case 'LIST':
    case 'LSUB':
      if (rest.endsWith('""')) say(`* ${command} (\\Noselect) "/" ""`)
      else {
        say(`* ${command} (\\HasNoChildren) "/" INBOX`)
        for (const [name, { use }] of folders) say(`* ${command} (\\HasNoChildren ${use}) "/" "${name}"`)
      }
      return ok()
    case 'STATUS': {
      const [name = ''] = wordsOf(rest)
      const found = named(name)?.box
      if (!found) return say(`${tag} NO [NONEXISTENT] não há esta pasta`)
      const { messages, next, validity } = found
      say(`* STATUS "${name}" (MESSAGES ${messages.length} UIDNEXT ${next} UIDVALIDITY ${validity} UNSEEN 0)`)
      return ok()
    }
    case 'APPEND': {
      const words = wordsOf(rest)
      const [found, raw] = [named(words[0]), words.at(-1)]
      if (!found || raw === undefined) return say(`${tag} NO [TRYCREATE] não há esta pasta`)
      found.deliver(raw)
      return ok()
    }
    case 'SELECT':
    case 'EXAMINE': {
      const found = named(wordsOf(rest)[0])
      if (!found) return say(`${tag} NO [NONEXISTENT] não há esta pasta`)
      const { box } = found
      talk.mailbox = found
      talk.isSelected = true
      talk.seen = box.messages.length
      say('* FLAGS (\\Seen \\Answered \\Flagged \\Deleted \\Draft)')
      say(`* ${talk.seen} EXISTS`)
      say('* 0 RECENT')
      say(`* OK [UIDVALIDITY ${box.validity}] numeração`)
      say(`* OK [UIDNEXT ${box.next}] próximo`)
      return ok(command === 'EXAMINE' ? '[READ-ONLY] aberta' : '[READ-WRITE] aberta')
    }
    case 'IDLE':
      tellNews()
      talk.idling = tag
      return say('+ esperando')
    case 'UID': {
      const [, inner = '', set = ''] = /^(\S+) ?(.*)$/s.exec(rest) ?? []
      return inFolder({ ...asked, command: inner.toUpperCase(), rest: set }, true)
    }
    default:
      return inFolder(asked, false)
  }
}

const inFolder = ({ tag, command, rest, talk, options, tellNews }: Asked, byUid: boolean) => {
  const { say } = talk
  const { box } = talk.mailbox
  const done = () => {
    tellNews()
    say(`${tag} OK ${command} feito`)
  }
  if (!talk.isSelected) return say(`${tag} BAD nenhuma pasta aberta`)
  const [set = '', ...others] = rest.split(' ')
  const what = others.join(' ')
  const numberOf = (one: Stored) => box.messages.indexOf(one) + 1
  const chosen = () => within(set, box.messages, byUid)
  switch (command) {
    case 'FETCH': {
      const isGone = options.asked(`FETCH ${set} ${what}`) === 'gone'
      for (const { one, number } of isGone ? [] : chosen()) say(fetched(one, number, what))
      return done()
    }
    case 'SEARCH': {
      const [, since] = /since "?(\d{1,2}-\w{3}-\d{4})/i.exec(rest) ?? []
      const [, range] = /(?:^|uid )([\d:*,]+)(?:$| )/i.exec(rest) ?? []
      const from = since ? Date.parse(`${since} 00:00:00Z`) : 0
      const found = (range ? within(range, box.messages, true).map(({ one }) => one) : box.messages).filter(
        ({ at }) => at.getTime() >= from,
      )
      say(`* SEARCH ${found.map((one) => (byUid ? one.uid : numberOf(one))).join(' ')}`.trim())
      return done()
    }
    case 'STORE': {
      const [, sign = '', flags = ''] = /^([+-]?)FLAGS(?:\.SILENT)? \(?([^)]*)\)?/i.exec(what) ?? []
      for (const { one, number } of chosen()) {
        if (!sign) one.flags.clear()
        for (const flag of flags.split(' ').filter(Boolean)) {
          if (sign === '-') one.flags.delete(flag)
          else one.flags.add(flag)
        }
        say(`* ${number} FETCH (UID ${one.uid} FLAGS (${[...one.flags].join(' ')}))`)
      }
      return done()
    }
    case 'COPY':
      return done()
    case 'MOVE':
    case 'EXPUNGE': {
      const leaving =
        command === 'MOVE' ? chosen().map(({ one }) => one) : box.messages.filter((one) => one.flags.has('\\Deleted'))
      for (const one of leaving) {
        say(`* ${numberOf(one)} EXPUNGE`)
        box.messages.splice(box.messages.indexOf(one), 1)
      }
      talk.seen = box.messages.length
      return done()
    }
    default:
      return say(`${tag} BAD comando desconhecido`)
  }
}

/** Each item that was asked for, in its order; `BODY.PEEK` leaves a message unread. */
const fetched = (one: Stored, number: number, what: string): Buffer => {
  const parts: (string | Buffer)[] = []
  const literal = (name: string, bytes: Buffer) => parts.push(`${name} {${bytes.length}}\r\n`, bytes)
  const head = headOf(one.raw)
  parts.push(`UID ${one.uid}`)
  if (/\bFLAGS\b/i.test(what)) parts.push(` FLAGS (${[...one.flags].join(' ')})`)
  if (/\bRFC822\.SIZE\b/i.test(what)) parts.push(` RFC822.SIZE ${one.raw.length}`)
  if (/\bINTERNALDATE\b/i.test(what)) parts.push(` INTERNALDATE "${internalDate(one.at)}"`)
  const [, isPeek, section = '', start, size] = /BODY(\.PEEK)?\[([^\]]*)\](?:<(\d+)\.(\d+)>)?/i.exec(what) ?? []
  if (/BODY(\.PEEK)?\[/i.test(what)) {
    if (!isPeek) one.flags.add('\\Seen')
    const whole = /^header/i.test(section) ? head : one.raw
    if (start === undefined) literal(` BODY[${section}]`, whole)
    else literal(` BODY[${section}]<${start}>`, whole.subarray(Number(start), Number(start) + Number(size)))
  }
  return Buffer.concat([`* ${number} FETCH (`, ...parts, ')\r\n'].map((part) => Buffer.from(part as string)))
}

const headOf = (raw: Buffer) => {
  const end = raw.indexOf('\r\n\r\n')
  return end < 0 ? raw : raw.subarray(0, end + 4)
}

const two = (value: number) => String(value).padStart(2, '0')
const internalDate = (at: Date) =>
  `${two(at.getUTCDate())}-${months[at.getUTCMonth()]}-${at.getUTCFullYear()} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`

/** `*` is the last there is, also where the other end of its range lies beyond it. */
const within = (set: string, messages: Stored[], byUid: boolean) => {
  const last = byUid ? (messages.at(-1)?.uid ?? 0) : messages.length
  const read = (text: string | undefined) => (text === '*' ? last : Number(text))
  const ranges = set.split(',').map((range) => {
    const [from, to = from] = range.split(':')
    const [a, b] = [read(from), read(to)]
    return [Math.min(a, b), Math.max(a, b)] as const
  })
  return messages.flatMap((one, at) => {
    const number = byUid ? one.uid : at + 1
    return ranges.some(([from, to]) => number >= from && number <= to) ? [{ one, number: at + 1 }] : []
  })
}

const isProven = (method: string, line: string, { login }: ImapOptions): boolean => {
  const said = Buffer.from(line, 'base64').toString('utf8')
  if (method === 'PLAIN') {
    const [, user = '', password = ''] = said.split('\0')
    return login(user, { password })
  }
  const [user = '', bearer = ''] = said.split(String.fromCharCode(1))
  return method === 'XOAUTH2' && login(user.replace('user=', ''), { token: bearer.replace('auth=Bearer ', '') })
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, (mark) => `\\${mark}`)}"`
const wordsOf = (text: string) =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, inside, plain]) => plain ?? inside?.replace(/\\(.)/g, '$1') ?? '',
  )
