import { subscribe } from 'node:diagnostics_channel'
import pg from 'pg'

/**
 * Where a process ends: `before` it asks the database for something, `after` the database has done it and nobody here
 * knows yet; the same of a request to a provider. The database is asked by a statement's name, or by what its text says.
 */
export type Cut = { before: string } | { after: string } | { request: 'asked' | 'answered' }

const end = () => process.kill(process.pid, 'SIGKILL')

export const endAt = (cut: Cut) => {
  if ('request' in cut) subscribe(cut.request === 'asked' ? 'undici:request:bodySent' : 'undici:request:headers', end)
  else endInDatabase(cut)
}

type Asked = string | { name?: string; text?: string; asks?: readonly (readonly [{ name: string }])[] }
const isOf = (wanted: string, asked: Asked): boolean => {
  if (typeof asked === 'string') return asked === wanted
  if (asked.asks) return asked.asks.some(([{ name }]) => name === wanted)
  return asked.name === wanted || asked.text?.includes(wanted) === true
}

const endInDatabase = (cut: { before: string } | { after: string }) => {
  const wanted = 'before' in cut ? cut.before : cut.after
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [Asked]
    if (!isOf(wanted, asked)) return query.apply(this, given)
    if ('before' in cut) return end()
    // Several statements in one trip answer for themselves; of one alone a promise does.
    if (typeof asked === 'object' && asked.asks) Object.assign(asked, { handleReadyForQuery: end })
    const answer = query.apply(this, given)
    if (answer instanceof Promise) void answer.then(end)
    return answer
  } as typeof pg.Client.prototype.query
}
