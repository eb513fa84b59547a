import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's connection, from which suites make their own databases. */
    ownerUrl: string
  }
}

/** One PostgreSQL for the whole run, thrown away at its end; `TEST_DATABASE_URL` gives another. */
export default async function setup({ provide }: TestProject) {
  if (process.env.TEST_DATABASE_URL) return provide('ownerUrl', process.env.TEST_DATABASE_URL)

  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'balcao-test-'))
  tidyUpAfterDeath(dataDir)
  const database = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
    log: () => {},
  })
  provide('ownerUrl', database.ownerUrl)

  return async () => {
    await database.stop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A run that is killed cannot tidy up: a bystander notices by the end of its input, and does. */
function tidyUpAfterDeath(dataDir: string) {
  const script = `
    import fs from 'node:fs'
    import { stopEmbeddedPostgres } from ${JSON.stringify(new URL('../src/db/embedded.ts', import.meta.url).href)}
    process.stdin.resume().once('end', async () => {
      await stopEmbeddedPostgres(${JSON.stringify(dataDir)})
      fs.rmSync(${JSON.stringify(dataDir)}, { recursive: true, force: true })
    })`
  spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  }).unref()
}
