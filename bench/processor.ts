import fs from 'node:fs'
import type pg from 'pg'
import type { Running } from './servers.ts'

const tickMs = 10
/** Fields of /proc/<pid>/stat behind the name, which may hold anything: parent, own time, time of children that ended. */
const readStat = (pid: number | string) => {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number)
  const at = (n: number) => fields[n] ?? 0
  return { parent: at(1), own: (at(11) + at(12)) * tickMs, ended: (at(13) + at(14)) * tickMs }
}
const statOf = (pid: number | string) => {
  try {
    return readStat(pid)
  } catch {
    return undefined // it has just ended
  }
}

export type Processor = { serverMs: number; databaseMs: number }
/** Processor time so far of the server and of all of PostgreSQL, in milliseconds, as the kernel counts it (Linux alone). */
export const processorOf = async (db: pg.Pool, { pid }: Running): Promise<Processor> => {
  const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = statOf(rows[0]?.pid ?? 0)?.parent ?? 0
  const children = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(name) ?? [])
    .filter(({ parent }) => parent === postmaster)
  const main = statOf(postmaster)
  return {
    serverMs: statOf(pid)?.own ?? 0,
    databaseMs: children.reduce((sum, { own }) => sum + own, (main?.own ?? 0) + (main?.ended ?? 0)),
  }
}

/** What `work` took of both, each second of it. */
export const processorDuring = async (db: pg.Pool, server: Running, work: () => Promise<unknown>) => {
  const [before, startedAt] = [await processorOf(db, server), performance.now()]
  await work()
  const [after, seconds] = [await processorOf(db, server), (performance.now() - startedAt) / 1_000]
  return {
    seconds,
    serverMs: after.serverMs - before.serverMs,
    databaseMs: after.databaseMs - before.databaseMs,
  }
}
