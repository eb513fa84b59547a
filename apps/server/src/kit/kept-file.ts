import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * A secret of the installation: made once, kept for its owner's eyes only. It appears whole or not at all, so that two
 * processes that start together, or one that is killed, leave exactly one.
 */
export const keptSecret = (file: string, make: () => string): string => {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    const draft = `${file}.${randomUUID()}`
    writeFileSync(draft, make(), { mode: 0o600, flush: true })
    try {
      linkSync(draft, file)
    } catch (error) {
      if (!existsSync(file)) throw error // else another process of this installation was faster
    } finally {
      rmSync(draft, { force: true })
    }
  }
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8')
}
