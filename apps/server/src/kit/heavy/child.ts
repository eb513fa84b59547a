import { parentPort } from 'node:worker_threads'

/** What a task module exports as `run`. It sees its input and its items, one when it asks for one, and nothing else. */
export type HeavyTask<Input, Item, Output> = (input: Input, items: AsyncIterable<Item>) => Promise<Output>
export type Order = { kind: 'start'; input: unknown } | { kind: 'item'; item: unknown } | { kind: 'end' }
export type Answer = { kind: 'next' } | { kind: 'done'; output: unknown } | { kind: 'failed'; reason: string }

/** V8 keeps its own heap within its flag; pictures lie outside of it. */
const lookEveryMs = 50

const [, , task = '', memoryMb = ''] = process.argv

/** A thread has a port, a process a channel. */
const tell = (answer: Answer) => void (parentPort ? parentPort.postMessage(answer) : process.send?.(answer))
let give: (order: Order) => void = () => {}
const hear = (order: Order) => {
  if (order.kind === 'start') void perform(order.input)
  else give(order)
}
if (parentPort) parentPort.on('message', hear)
else {
  process.on('message', hear)
  process.on('disconnect', () => process.exit())
  setInterval(() => {
    if (process.memoryUsage.rss() > Number(memoryMb) * 1e6) process.kill(process.pid, 'SIGKILL')
  }, lookEveryMs).unref()
}

const perform = async (input: unknown) => {
  try {
    const { run }: { run: HeavyTask<unknown, unknown, unknown> } = await import(task)
    tell({ kind: 'done', output: await run(input, items()) })
  } catch (error) {
    tell({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

async function* items() {
  for (;;) {
    const order = await new Promise<Order>((resolve) => {
      give = resolve
      tell({ kind: 'next' })
    })
    if (order.kind !== 'item') return
    yield order.item
  }
}
