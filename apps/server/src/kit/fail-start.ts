/** Ends a process that cannot begin, with one sentence for who started it; its port may be any of the process's own. */
export const failStart = (error: unknown): never => {
  console.error(`O Balcão não abriu: ${reasonOf(error)}`)
  process.exit(1)
}

const reasonOf = (error: unknown) => {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as Error & { code?: string; port?: number } // as Node's listen() adds them
  if (code === 'EADDRINUSE') return `a porta ${port} já está em uso. Feche o outro programa ou escolha outra com PORT.`
  if (code === 'EACCES' && port !== undefined)
    return `a porta ${port} é reservada pelo sistema. Escolha outra com PORT.`
  return error.message
}
