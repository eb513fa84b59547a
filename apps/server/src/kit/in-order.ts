/** Work of one key is done in the order it came, one after another; that of different keys goes on at once. */
export const createLanes = <Key>() => {
  const lanes = new Map<Key, Promise<unknown>>()
  return {
    /** Answers when this work is done, with its error if it fails; the next one begins all the same. */
    run: (key: Key, work: () => Promise<void>): Promise<void> => {
      const done = (lanes.get(key) ?? Promise.resolve()).then(work)
      const lane = done
        .catch(() => undefined)
        .finally(() => {
          if (lanes.get(key) === lane) lanes.delete(key)
        })
      lanes.set(key, lane)
      return done
    },
    /** When all that was given so far is done. */
    settled: () => Promise.all(lanes.values()),
  }
}
