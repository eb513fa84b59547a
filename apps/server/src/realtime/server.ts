import { Server } from 'socket.io'
import { env } from '../env.ts'
import { gatherNotices } from '../features/operations/notifications/gather.ts'
import { actorOf, readClaims } from '../features/people/auth/access-token.ts'
import { AppError } from '../kit/errors.ts'
import type { App } from '../kit/http.ts'
import { log } from '../kit/log.ts'
import { onSignal } from '../kit/signals/signals.ts'
import { countSocketsBy } from '../kit/sockets.ts'
import type { Worker } from '../kit/workers.ts'
import { forgetAbsent, stopNoting } from './online.ts'
import { isAtDesk, isLooking, openPresence } from './presence.ts'
import { redisAdapter } from './redis.ts'
import { startRelay } from './relay.ts'
import { userRoom } from './rooms.ts'
import type { Said, StaffData, StaffNamespace, StaffSocket } from './staff-data.ts'
import { reviewViews, rightsOf, welcomeStaff } from './staff-socket.ts'

/**
 * Rights that another process took end within 5 s: the directory is fresh for 2 s, and the rest and the tick of the
 * workers come on top, each a tenth longer at worst.
 */
const sweepEveryMs = 1_000
/** Packets that wait for a socket that does not read; it is dropped, and reads anew when it returns. */
const maxWaiting = 1_000
/** Windows one person may have open in one process: more than anybody looks at. */
const windowsPerPerson = 40
/** Time enough after a start for every window to be back. */
const returnMs = 60_000

/**
 * The socket at /socket.io: people join only their own room; conversations are joined after the read policy agreed.
 * Missed events are not replayed after a reconnect: keeping two minutes of everybody's events costs more memory than
 * all sockets together, and clients read again what is on screen.
 */
export const startRealtime = async (app: App) => {
  const io = new Server<Said, Said, Said, StaffData>(app.server, {
    path: '/socket.io',
    transports: ['polling', 'websocket'],
    maxHttpBufferSize: 64 * 1024,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: 30_000,
    allowRequest: (request, decide) => decide(null, isOurOrigin(request.headers.origin, request.headers.host)),
    ...(env.REDIS_URL ? { adapter: await redisAdapter(env.REDIS_URL) } : {}),
  })
  const staff = io.of('/')
  countSocketsBy(() => io.engine.clientsCount)
  const closePresence = openPresence(staff)
  const relay = startRelay(staff, gatherNotices({ isLooking, isAtDesk }))
  staff.use((socket, next) => {
    admit(staff, socket).then(
      () => next(),
      (error) => next(new Error(error instanceof AppError ? error.code : 'ERR_UNAVAILABLE')),
    )
  })
  staff.on('connection', (socket) => welcomeStaff(staff, socket))
  const sweep = async () => {
    await Promise.all([...staff.sockets.values()].map(check))
    return undefined
  }
  const unhear = onSignal('sessions.ended', ({ tenantId }) => {
    for (const socket of staff.sockets.values()) if (socket.data.claims.tenantId === tenantId) void check(socket)
  })
  const workers: Worker[] = [...relay.workers, { name: 'socket sweep', role: 'api', everyMs: sweepEveryMs, run: sweep }]

  const returned = setTimeout(() => {
    forgetAbsent(staff).catch((error) => log.warn({ err: error }, 'absent people not forgotten'))
  }, returnMs).unref()

  return {
    io,
    workers,
    stop: async () => {
      clearTimeout(returned)
      unhear()
      closePresence()
      await relay.stop()
      io.disconnectSockets(true)
      io.engine.close()
      stopNoting()
    },
  }
}

const admit = async (staff: StaffNamespace, socket: StaffSocket) => {
  const { token } = socket.handshake.auth
  const claims = await readClaims(typeof token === 'string' ? token : '')
  const actor = await actorOf(claims)
  const rights = await rightsOf(claims)
  const open = staff.adapter.rooms.get(userRoom(claims.tenantId, claims.userId))?.size ?? 0
  if (open >= windowsPerPerson) throw new AppError('ERR_TOO_MANY')
  Object.assign(socket.data, {
    claims,
    actor,
    rights,
    viewing: new Map(),
    typing: [],
    shown: new Set(),
    isHidden: false,
    look: null,
  } satisfies StaffData)
}

/** Rights end within seconds even when another process changed them. */
const check = async (socket: StaffSocket) => {
  // biome-ignore lint/complexity/useLiteralKeys: private in engine.io's types, and the only place that tells
  if (socket.conn['writeBuffer'].length > maxWaiting) return void socket.conn.close(true)
  const { data } = socket
  try {
    data.actor = await actorOf(data.claims)
    const rights = await rightsOf(data.claims)
    if (rights === data.rights) return
    data.rights = rights
    await reviewViews(socket)
  } catch (error) {
    if (!(error instanceof AppError)) return // the database is away: nobody is sent home for that
    socket.emit('session.revoked', { message: error.message })
    socket.disconnect(true)
  }
}

/** Browsers name the page they are on; a foreign page may not open our socket. Programs without an origin need a token anyway. */
const isOurOrigin = (origin: string | undefined, host: string | undefined) => {
  if (!origin) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || origin === new URL(env.PUBLIC_URL).origin
}
