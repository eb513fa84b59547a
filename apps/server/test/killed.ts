import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Cut } from './cut.ts'

const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/**
 * Another process of the product on this database, which does this and is killed where it calls `stopHere`. The script finds
 * `load` for what it needs, by its path from the features.
 */
export const killedWhile = async (ownerUrl: string, script: string) => {
  const child = open(ownerUrl, script)
  const reached = once(child.stdout, 'data')
  const over = once(child, 'exit')
  await Promise.race([reached, over])
  if (child.exitCode !== null) throw new Error('It ended before it came there')
  child.kill('SIGKILL')
  await over
}

/** The same, killed at this point of it. Resolves with what it had said by then. */
export const killedAt = async (ownerUrl: string, cut: Cut, script: string): Promise<string> => {
  const child = open(
    ownerUrl,
    `const { endAt } = await import(${here('./cut.ts')})
    endAt(${JSON.stringify(cut)})
    ${script}`,
  )
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const [, signal] = await once(child, 'close')
  if (signal !== 'SIGKILL') throw new Error('It ended before it came there')
  return said
}

const open = (ownerUrl: string, script: string) =>
  spawn(process.execPath, ['--input-type=module', '-e', `${prelude(ownerUrl)}\n${script}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: ownerUrl },
  })
const prelude = (ownerUrl: string) => `
  const { roleUrls } = await import(${here('../src/db/migrate.ts')})
  const { openDatabase } = await import(${here('../src/db/database.ts')})
  const load = (path) => import(new URL(path, ${here('../src/features/')}).href)
  const stopHere = () => {
    process.stdout.write('here')
    return new Promise(() => setInterval(() => {}, 1_000))
  }
  openDatabase(roleUrls(${JSON.stringify(ownerUrl)}, process.env.APP_SECRET))`
