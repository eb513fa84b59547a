/**
 * The database is restarting, unreachable, out of room, memory or connections, or only reads just now (a fail-over): the
 * same work may simply be tried again.
 */
export const isDatabaseAway = (error: unknown): boolean => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const text = cause instanceof Error ? cause.message : ''
  return (
    /^(57P0[1-5]|08\w{3}|53\w{3}|58\w{3}|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/.test(
      code,
    ) || /Connection terminated|timeout exceeded when trying to connect|The database is not open/.test(text)
  )
}
