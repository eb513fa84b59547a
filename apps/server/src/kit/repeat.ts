import { log } from './log.ts'

/**
 * Runs `work` every `everyMs`, one round at a time, and at once after `wake()`. A failed round is logged and does not
 * end the loop; `stop()` waits for the round under way.
 */
export const repeat = (name: string, everyMs: number, work: () => Promise<void>) => {
  let isStopped = false
  let isAwaited = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const round = () => {
    clearTimeout(timer)
    isAwaited = false
    running = work()
      .catch((error) => log.error({ err: error, loop: name }, 'round failed'))
      .finally(() => {
        running = undefined
        if (isStopped) return
        if (isAwaited) round()
        else timer = setTimeout(round, everyMs)
      })
  }
  timer = setTimeout(round, 0)
  return {
    wake: () => {
      if (isStopped) return
      if (running) isAwaited = true
      else round()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
