/** A rest between two rounds, so that what comes meanwhile goes together; whoever cannot wait ends it. */
export const createRest = () => {
  let over: (() => void) | undefined
  return {
    begin: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => over?.(), ms)
        over = () => {
          clearTimeout(timer)
          over = undefined
          resolve()
        }
      }),
    end: () => over?.(),
  }
}
