import { spawn } from 'node:child_process'
import { cpus } from 'node:os'

/** Runs while nobody else wants the processor (Linux). */
export const whenIdle = { execPath: 'chrt', execArgv: ['--idle', '0', process.execPath] }

/** How much of a processor all of this machine took, since the answer's first call: 0.5 is half of one of them. */
export const watchProcessors = () => {
  const taken = () => cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
  const [before, startedAt] = [taken(), performance.now()]
  return () => (taken() - before) / (performance.now() - startedAt)
}

/** A program that takes so much of a processor when nobody else wants it, until it is told to end. */
export const takeProcessor = (share: number) => {
  const file = new URL('./busy.child.ts', import.meta.url).pathname
  const child = spawn(whenIdle.execPath, [...whenIdle.execArgv, file, String(share)], { stdio: 'ignore' })
  return () => void child.kill()
}
