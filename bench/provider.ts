import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { WabaOptions } from '@balcao/simulators/waba/state.ts'
import type { TemplateInput } from '@balcao/simulators/waba/templates.ts'
import { whenIdle } from './busy.ts'

type Options = Pick<
  WabaOptions,
  'appSecret' | 'verifyToken' | 'accessToken' | 'phoneNumberId' | 'wabaId' | 'displayPhoneNumber'
>
export type Order = { start: Options; template: TemplateInput } | { webhook: string } | { sends: true }
export type Told = { url: string } | { sendsAtMs: number[] }

/**
 * A simulated Meta in a process of its own, which runs while nobody else wants the processor: a real one takes no time
 * from this machine. (Linux. Its niceness would not do: who wakes up waits for the rest of its slice, some milliseconds.)
 */
export const startProvider = async (start: Options, template: TemplateInput) => {
  const child = fork(new URL('./provider.child.ts', import.meta.url), {
    execPath: whenIdle.execPath,
    execArgv: [...whenIdle.execArgv, '--single-threaded-gc'],
  })
  const { url } = await ask<{ url: string }>(child, { start, template })
  return {
    url,
    setWebhook: (webhook: string) => void child.send({ webhook } satisfies Order),
    /** When each send came, by the machine's clock. */
    readSends: async () => (await ask<{ sendsAtMs: number[] }>(child, { sends: true })).sendsAtMs,
    close: () => void child.kill(),
  }
}

const ask = async <T extends Told>(child: ChildProcess, order: Order): Promise<T> => {
  child.send(order)
  const [told] = await once(child, 'message')
  return told as T // each order has one answer
}
