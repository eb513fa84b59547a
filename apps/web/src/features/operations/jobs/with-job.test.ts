import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { InfiniteData } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { jobName, jobText, percentOf } from './job-words.ts'
import { withJob } from './with-job.ts'

const job = (more: Partial<BulkJob> = {}): BulkJob => ({
  ...{ id: 'j1', kind: 'exportConversation', subject: 'Maria', subjectId: null, userId: 'u1', state: 'running' },
  ...{ total: 400, done: 99, failed: 0, isInParts: false, error: null, hasResult: false },
  ...{ canPause: false, canUndo: false, canRetry: false },
  ...{ createdAt: '2026-11-20T10:00:00.000Z', finishedAt: null },
  ...more,
})
const list = (...items: BulkJob[]): InfiniteData<Page<BulkJob>> => ({
  pages: items.map((item) => ({ items: [item], hasMore: true, nextCursor: 'x' })),
  pageParams: items.map(() => null),
})
const idsIn = (now: InfiniteData<Page<BulkJob>>) => now.pages.map(({ items }) => items.map(({ id }) => id))

test('what became of a job takes its place on whichever page; a new one comes first', () => {
  const now = list(job(), job({ id: 'j2' }))
  const later = withJob(now, job({ id: 'j2', done: 400 }))
  expect(idsIn(later)).toEqual([['j1'], ['j2']])
  expect(later.pages[1]?.items[0]).toMatchObject({ done: 400 })
  expect(idsIn(withJob(now, job({ id: 'j3' })))).toEqual([['j3', 'j1'], ['j2']])
})

test('a job says what it is, how far, and how it ended', () => {
  expect(jobName(job())).toBe('Exportar conversa · Maria')
  expect(percentOf(job())).toBe(24)
  expect(jobText(job())).toBe('24%')
  expect(jobText(job({ kind: 'markRead' }))).toBe('24%, 99 de 400')
  expect(jobText(job({ state: 'paused' }))).toBe('Em pausa: 24%')
  expect(jobText(job({ state: 'canceled' }))).toBe('Cancelado.')
  expect(jobText(job({ state: 'done', done: 4 }))).toBe('Pronto: 4 mensagens.')
  expect(jobText(job({ state: 'failed', error: 'Grande demais.' }))).toBe('Grande demais.')
  expect(jobText(job({ state: 'done', kind: 'closeTickets', done: 2, failed: 1 }))).toBe(
    'Pronto: 2 feitos, 1 não foi possível.',
  )
})

test('a job over groups says in how many it was done, and in part where it was not in all', () => {
  const groups = (more: Partial<BulkJob>) => jobText(job({ kind: 'groupAct', state: 'done', total: 5, ...more }))
  expect(groups({ done: 5 })).toBe('Pronto: 5 grupos.')
  expect(groups({ done: 1, total: 1 })).toBe('Pronto: 1 grupo.')
  expect(groups({ done: 3, failed: 2 })).toBe('Feito em parte: 3 de 5 grupos.')
  expect(groups({ done: 0, failed: 5 })).toBe('Não feito por inteiro em nenhum dos 5 grupos.')
  expect(groups({ done: 0, failed: 1, total: 1 })).toBe('Não feito por inteiro.')
  expect(groups({ state: 'canceled', done: 2, failed: 1 })).toBe('Cancelado: 2 de 5 grupos feitos.')
  expect(groups({ state: 'failed', done: 2, error: 'Sem permissão.' })).toBe('Sem permissão. 2 de 5 grupos feitos.')
})
