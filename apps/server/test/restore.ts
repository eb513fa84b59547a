import { afterAll } from 'vitest'

/** What a file changes of something that all files of a process share is as it was once the file is over. */
export const restoreAfter = (shared: object) => {
  const before = { ...shared }
  afterAll(() => {
    for (const key of Object.keys(shared)) if (!(key in before)) Reflect.deleteProperty(shared, key)
    Object.assign(shared, before)
  })
}
