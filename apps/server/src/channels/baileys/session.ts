import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelContext, ChannelError, type Session, type SessionHost, type Standing } from '../adapter.ts'
import { codesSpent, disconnectOf, notLinked, scanNow, typeNow } from '../whatsapp/disconnects.ts'
import { identityOf } from '../whatsapp/jids.ts'
import { callsOf } from './calls.ts'
import { createIntake } from './intake.ts'
import { type Login, openLogin } from './login.ts'
import { openPort } from './open-port.ts'
import type { BaileysEvents, BaileysPort } from './port.ts'
import { isNewRefused, momentText } from './restriction.ts'

export type Context = ChannelContext<'baileys'>

/** One phone, linked: kept connected, by the rule of each way in which it may end. */
export const openBaileys = async (context: Context, host: SessionHost): Promise<Session> => {
  const line = new Line(context, host)
  const ended = line.run()
  ended.catch(() => {}) // whoever opened it hears of it
  return {
    ended,
    close: async () => {
      line.stop()
      await ended.catch(() => {})
    },
    calls: {
      ...callsOf(
        () => line.openPort(),
        host,
        () => line.restrictedUntil(),
      ),
      link: (target) => line.link(target),
      unlink: () => line.unlink(),
    },
  }
}

/** How a connection to WhatsApp ended. */
type Ending = { code: number | undefined; wasOpen: boolean; wasShowingCode: boolean }

const pauseMs = { first: 1_000, longest: 60_000 }
/** A session WhatsApp calls bad is tried so often before its login is given up. */
const badSessionTries = 3
/** The first code stands for a minute, those after it for a third of one. */
const codeSeconds = { first: 60, next: 20 }
/** All codes of one connection together: so long may the other kind be typed. */
const pairingSeconds = 160
/** Where WhatsApp does not say how long. */
const unknownRestrictionMs = 60 * 60_000
const linkWithinMs = 12_000
const linkedText = 'Conectado ao WhatsApp do telefone.'
const onlyKnown = 'ele não deixa este número começar conversas. Quem já conversa com vocês continua recebendo.'
const newCode = 'Gere um novo código e leia-o no WhatsApp do telefone, em Aparelhos conectados.'

class Line {
  readonly #context: Context
  readonly #host: SessionHost
  readonly #stopping = new AbortController()
  readonly #signal: AbortSignal
  #port: BaileysPort | undefined
  #isOpen = false
  /** Nobody connects until somebody asks for it. */
  #isIdle = false
  #wake = () => {}
  #phone: string | undefined
  #restriction: Date | undefined
  #standing: Standing = { status: 'OPENING', text: 'Conectando ao WhatsApp…' }
  #told = new Set<() => void>()

  constructor(context: Context, host: SessionHost) {
    this.#context = context
    this.#host = host
    this.#signal = AbortSignal.any([host.signal, this.#stopping.signal])
  }

  stop() {
    this.#stopping.abort()
  }

  /** The port, when messages can pass. */
  openPort(): BaileysPort {
    if (this.#port && this.#isOpen) return this.#port
    throw this.#isIdle ? notLinked() : new ChannelError('retry', 'O canal está se conectando.')
  }

  async run(): Promise<void> {
    let waitMs = pauseMs.first
    let bad = 0
    while (!this.#signal.aborted) {
      const login = await this.#login()
      if (!login) {
        await this.#woken()
        continue
      }
      const ending = await this.#connect(login)
      if (this.#signal.aborted) return
      if (ending.wasOpen) [waitMs, bad] = [pauseMs.first, 0]
      bad = ending.code === 500 ? bad + 1 : 0
      const next = nextOf(ending, bad)
      if (next.step === 'now') continue
      if (next.step === 'forget') await this.#host.forget()
      if (next.step !== 'again') await this.#rest(next.standing, next.step === 'stay')
      else {
        await this.#tell(next.standing)
        await sleep(waitMs * (0.75 + Math.random() / 2), undefined, { signal: this.#signal }).catch(() => {})
        waitMs = Math.min(waitMs * 2, pauseMs.longest)
      }
    }
  }

  /** The login to connect with; undefined when somebody has to ask for a code first. */
  async #login(): Promise<Login | undefined> {
    const login = await openLogin(this.#host)
    if (login.isUnreadable) {
      await this.#tell({ status: 'ERROR', text: `O login guardado deste canal não pode mais ser lido. ${newCode}` })
      return undefined
    }
    const isWaiting = !login.isLinked() && (await this.#host.state(['waiting'])).has('waiting')
    if (!isWaiting) return login
    await this.#tell({ status: 'DISCONNECTED', text: `O telefone não está conectado. ${newCode}` })
    return undefined
  }

  /** Connects and stays until it ends. */
  async #connect(login: Login): Promise<Ending> {
    const { promise: closed, resolve: close } = Promise.withResolvers<number | undefined>()
    const seen = { wasOpen: false, codes: 0, wasLinked: login.isLinked() }
    const intake = createIntake(this.#host, this.#context, login, this.#signal)
    let port: BaileysPort
    try {
      await this.#host.receive([]) // a process that stood still would throw out the one that has it now
      port = await openPort(this.#context, this.#host, login)
    } catch {
      return { code: undefined, wasOpen: false, wasShowingCode: false }
    }
    this.#port = port
    intake.use(port)
    const onAbort = () => close(undefined)
    if (this.#signal.aborted)
      onAbort() // it was stopped while the port opened
    else this.#signal.addEventListener('abort', onAbort, { once: true })
    port.listen((events) => {
      intake.take(events)
      if (isNewRefused(events)) void this.#askRestriction(true).catch(() => {})
      const update = events['connection.update']
      if (!update) return
      if (update.qr) void this.#showCode(update.qr, seen.codes++).catch(() => {})
      if (update.connection === 'open') {
        seen.wasOpen = true
        void this.#opened(login).catch(() => {})
      }
      if (update.reachoutTimeLock) void this.#restricted(update.reachoutTimeLock).catch(() => {})
      if (update.connection === 'close') close(codeOf(update))
    })
    try {
      const code = await closed
      await intake.finish()
      return { code, wasOpen: seen.wasOpen, wasShowingCode: !seen.wasOpen && seen.codes > 0 && !login.isLinked() }
    } finally {
      this.#signal.removeEventListener('abort', onAbort)
      this.#isOpen = false
      this.#port = undefined
      await port.close().catch(() => {})
    }
  }

  async #showCode(qr: string, shownBefore: number) {
    const phone = this.#phone
    if (phone && shownBefore > 0) return // the code to type still stands
    const lastsSeconds = shownBefore ? codeSeconds.next : codeSeconds.first
    if (!phone) return this.#tell({ status: 'OPENING', text: scanNow, login: { qr, lastsSeconds } })
    const pairingCode = await this.#port?.calls.requestPairingCode(phone)
    await this.#tell({ status: 'OPENING', text: typeNow, login: { pairingCode, lastsSeconds: pairingSeconds } })
  }

  async #opened({ auth }: Login) {
    this.#isOpen = true
    this.#phone = undefined
    await this.#host.receive([], { waiting: null })
    const { me } = auth.creds
    const identity = identityOf(me?.id)
    const number = identity?.kind === 'phone' ? identity.value : undefined
    const name = me?.name && me.name !== '~' ? me.name : me?.verifiedName
    const pictureUrl = me && (await this.#port?.calls.profilePictureUrl(me.id, 'preview').catch(() => undefined))
    await this.#tell({
      status: 'CONNECTED',
      text: linkedText,
      account: { number, name, pictureUrl, lid: identityOf(me?.lid)?.value },
    })
    await this.#askRestriction(false)
  }

  /** Until when nobody new may be written to. */
  restrictedUntil(): Date | undefined {
    return this.#restriction && this.#restriction.getTime() > Date.now() ? this.#restriction : undefined
  }

  /** `isCertain`: a message was refused for it, whatever is answered. */
  async #askRestriction(isCertain: boolean) {
    if (isCertain && this.restrictedUntil()) return
    const told = await this.#port?.calls.fetchAccountReachoutTimelock().catch(() => undefined)
    if (told?.isActive || isCertain) await this.#restricted({ ...told, isActive: true })
  }

  /** Whoever it talks to already still hears it; nobody new does. */
  async #restricted({ isActive, timeEnforcementEnds }: NonNullable<Update['reachoutTimeLock']>) {
    if (!this.#isOpen) return
    const end = timeEnforcementEnds && new Date(timeEnforcementEnds)
    this.#restriction = isActive ? (end ?? new Date(Date.now() + unknownRestrictionMs)) : undefined
    const until = end ? ` até ${momentText(end)}` : ' por algum tempo'
    const text = isActive ? `Restrito pelo WhatsApp${until}: ${onlyKnown}` : linkedText
    await this.#tell({ ...this.#standing, status: 'CONNECTED', text })
  }

  /** Says so and waits until a code is asked for, or the session is opened anew. */
  async #rest(standing: Standing, keepsLogin: boolean) {
    this.#phone = undefined
    if (!keepsLogin) await this.#host.receive([], { waiting: '1' })
    await this.#tell(standing)
    await this.#woken()
  }

  async #woken() {
    this.#isIdle = true
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (this.#signal.aborted) resolve()
      else this.#signal.addEventListener('abort', () => resolve(), { once: true })
    })
    this.#isIdle = false
  }

  async #tell(standing: Standing) {
    this.#standing = standing
    if (this.#signal.aborted) return
    await this.#host.tell(standing)
    for (const heard of this.#told) heard()
  }

  /** A code to scan, or one to type on the phone of this number. */
  async link({ phone }: { phone?: string }): Promise<Standing> {
    if (this.#isOpen) return this.#standing
    if (this.#port && !phone && this.#standing.login) return this.#standing
    const shown = this.#toldOf(({ status, login }) => status === 'CONNECTED' || login !== undefined)
    this.#phone = phone
    if (this.#isIdle) {
      await this.#host.forget()
      this.#wake()
    } else if (this.#port && phone && this.#standing.login) {
      void this.#showCode('', 0).catch(() => {})
    }
    if (!(await shown)) throw new ChannelError('retry', 'O WhatsApp não entregou um código agora.')
    return this.#standing
  }

  /** Resolves true once it is told something of this kind; false when that takes too long. */
  #toldOf(matches: (standing: Standing) => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (isTold: boolean) => {
        clearTimeout(timer)
        this.#told.delete(heard)
        resolve(isTold)
      }
      const timer = setTimeout(() => done(false), linkWithinMs)
      const heard = () => matches(this.#standing) && done(true)
      this.#told.add(heard)
    })
  }

  /** The phone forgets us, and we its login; the conversations stay. */
  async unlink(): Promise<void> {
    const port = this.#port
    if (port && this.#isOpen) {
      const isOver = this.#toldOf(({ status }) => status === 'DISCONNECTED')
      await port.calls.logout().catch(() => {})
      if (await isOver) return // by the rule of a logout
    }
    await this.#host.forget()
    await this.#host.receive([], { waiting: '1' })
  }
}

type Update = NonNullable<BaileysEvents['connection.update']>
type Next = { step: 'now' | 'again' | 'stay' | 'wait' | 'forget'; standing: Standing }
/**
 * What each ending asks for: at once, again after a pause, never by itself (`stay` keeps the login, `wait` has none), or
 * a new login.
 */
export const nextOf = ({ code, wasShowingCode }: Ending, badSessions: number): Next => {
  if (code === 515) return { step: 'now', standing: { status: 'OPENING', text: disconnectOf(code).text } }
  if (wasShowingCode && code === 408) return { step: 'wait', standing: { status: 'DISCONNECTED', text: codesSpent } }
  if (code === undefined) return { step: 'again', standing: { status: 'OPENING', text: unreachable } }
  const { text, comesBack, isLoggedOut } = disconnectOf(code)
  if (comesBack) return { step: 'again', standing: { status: 'OPENING', text } }
  if (code === 500 && badSessions < badSessionTries)
    return { step: 'again', standing: { status: 'OPENING', text: disconnectOf(408).text } }
  if (isLoggedOut) return { step: 'forget', standing: { status: 'DISCONNECTED', text } }
  return { step: 'stay', standing: { status: 'ERROR', text } }
}
const unreachable =
  'O WhatsApp não pôde ser alcançado. Se este canal usa um proxy, confira se ele está no ar. Estamos tentando de novo.'

/** What broke below WhatsApp's own words has no code of its own. */
const codeOf = ({ lastDisconnect }: Update): number | undefined => {
  const error: { message?: unknown; output?: { statusCode?: unknown } } = Object(lastDisconnect?.error)
  if (/^WebSocket Error/.test(String(error.message))) return undefined
  const code = error.output?.statusCode
  return typeof code === 'number' ? code : undefined
}
