import pg from 'pg'
import { expect, test } from 'vitest'
import { isDatabaseAway } from './database-away.ts'

const told = (code: string) => Object.assign(new pg.DatabaseError('x', 1, 'error'), { code })

test.each([
  ['a restart', told('57P01')],
  ['a full disk', told('53100')],
  ['no connection left', told('53300')],
  ['a standby that only reads', told('25006')],
  ['a name that is not known for the moment', Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' })],
  ['a socket that is gone', Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' })],
  ['a line that died in hand', new Error('Client has encountered a connection error and is not queryable')],
  ['a stop', new Error('Cannot use a pool after calling end on the pool')],
  ['a cut line', new Error('query failed', { cause: new Error('Connection terminated unexpectedly') })],
])('after %s the same work is tried again', (_what, error) => expect(isDatabaseAway(error)).toBe(true))

test('a file that is not there says nothing of the database', () =>
  expect(isDatabaseAway(Object.assign(new Error('open'), { code: 'ENOENT', syscall: 'open' }))).toBe(false))

test.each(['23505', '22021', '40001', '42P01'])('%s is an answer of a database that is there', (code) =>
  expect(isDatabaseAway(told(code))).toBe(false),
)
