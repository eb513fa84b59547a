import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { bulkJobsQuery, receiveJob } from './bulk-api.ts'

const job = (more: Partial<BulkJob> = {}): BulkJob => ({
  id: 'j1',
  kind: 'closeTickets',
  subject: null,
  subjectId: null,
  userId: 'u1',
  canPause: true,
  canUndo: false,
  canRetry: false,
  state: 'running',
  total: 100,
  done: 0,
  failed: 0,
  isInParts: false,
  error: null,
  hasResult: false,
  createdAt: '2026-11-20T10:00:00.000Z',
  finishedAt: null,
  ...more,
})
const after = (...told: BulkJob[]) => {
  const cache = new QueryClient()
  for (const one of told) receiveJob(cache, one)
  return cache.getQueryData(bulkJobsQuery.queryKey)
}

test('a new job comes first, its progress replaces it', () => {
  expect(after(job(), job({ id: 'j2' }), job({ done: 25 }))).toMatchObject([{ id: 'j2' }, { id: 'j1', done: 25 }])
})

test('the answer to the click, overtaken by events, does not turn the clock back', () => {
  expect(after(job({ done: 50 }), job())).toMatchObject([{ done: 50 }])
  const done = job({ state: 'done', done: 100, finishedAt: '2026-11-20T10:01:00.000Z' })
  expect(after(done, job({ done: 75 }))).toMatchObject([{ state: 'done', done: 100 }])
  expect(after(job({ done: 75 }), { ...done, state: 'canceled', done: 75 })).toMatchObject([{ state: 'canceled' }])
})
