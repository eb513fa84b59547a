import { ShareTaken } from './shares.ts'

/** A statement took longer than its kind of work may. */
export const isTooSlow = (error: unknown): boolean => codeOf(causeOf(error)) === '57014'

/**
 * The database is restarting, unreachable, out of room, memory or connections, or only reads just now (a fail-over): the
 * same work may simply be tried again.
 */
export const isDatabaseAway = (error: unknown): boolean => {
  const cause = causeOf(error)
  const code = codeOf(cause)
  const text = cause instanceof Error ? cause.message : ''
  return (
    error instanceof ShareTaken ||
    isSocketGone(cause) ||
    /^(57P0[1-5]|08\w{3}|53\w{3}|58\w{3}|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/.test(
      code,
    ) ||
    /Connection terminated|is not queryable|Query read timeout|timeout exceeded when trying to connect|end on the pool|The database is not open/.test(
      text,
    )
  )
}

/** A database that is restarting has no socket, or more who knock than it hears. */
export const isSocketGone = (cause: unknown) =>
  cause instanceof Error && 'syscall' in cause && cause.syscall === 'connect' && /^(ENOENT|EAGAIN)$/.test(codeOf(cause))

const causeOf = (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause : error)
const codeOf = (cause: unknown) => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')
