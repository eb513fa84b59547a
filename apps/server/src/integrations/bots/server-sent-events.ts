export type ServerSentEvent = { name: string; data: string }

/** Events of a text/event-stream, as they come; lines that only keep the line open are none. */
export async function* serverSentEvents(body: AsyncIterable<Buffer>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true }).replaceAll('\r\n', '\n')
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const one = eventIn(block)
      if (one) yield one
    }
  }
  const last = eventIn(rest)
  if (last) yield last
}

const eventIn = (block: string): ServerSentEvent | undefined => {
  const of = (name: string) =>
    block
      .split('\n')
      .flatMap((line) => (line.startsWith(`${name}:`) ? line.slice(name.length + 1).replace(/^ /, '') : []))
  const data = of('data').join('\n')
  return data ? { name: of('event')[0] ?? 'message', data } : undefined
}
