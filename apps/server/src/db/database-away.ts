/** The database is restarting or unreachable: the same work may simply be tried again. */
export const isDatabaseAway = (error: unknown): boolean => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const text = cause instanceof Error ? cause.message : ''
  return (
    /^(57P0[1-3]|08\w{3}|53300|ECONNREFUSED|ECONNRESET)$/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|The database is not open/.test(text)
  )
}
