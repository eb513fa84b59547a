import type { SessionAnswer } from '@balcao/contract/people/auth.ts'
import type pg from 'pg'
import type { BarePlan } from './bare.ts'
import type { Running } from './servers.ts'

/** What every measurement finds ready: the seeded database, the running product and people who may call it. */
export type Bench = {
  scale: number
  ownerUrl: string
  /** The database as its owner, for looking and cleaning. */
  db: pg.Pool
  /** The product's child process; `restart` gives a fresh one. */
  server: Running
  restart: () => Promise<Running>
  /** One more process on the same database, with settings of its own. */
  start: (env: Record<string, string>) => Promise<Running>
  /** A plain agent of two queues, and everybody. */
  agent: Caller
  agents: Caller[]
  admin: Caller
  /** What a browser of that person keeps after logging in. */
  sessionOf: (caller: Caller) => Promise<SessionAnswer>
  tokenFor: (userId: string, ofTenantId?: number) => Promise<string>
  /** The statements the product sends to answer a GET of `caller`. */
  record: (path: string, caller: Caller) => Promise<BarePlan['routes'][number]['statements']>
}
export type Caller = { id: string; token: string }

export const bearer = (caller: Caller) => ({ authorization: `Bearer ${caller.token}` })
