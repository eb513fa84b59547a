import { type Campaign, campaignWrite } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { expect, test } from 'vitest'
import { mergeChanges } from './merge-changes.ts'

const campaign = (more: object = {}) => ({ ...campaignWrite.parse({ name: 'Natal' }), ...more }) as unknown as Campaign // what a person may adjust of it
const base = campaign()
const { pace, brake } = base

test('what each of two people changed stays, also within the same part', () => {
  const theirs = campaign({ pace: { ...pace, dailyMost: 200 } })
  const mine = { pace: { ...pace, minSeconds: 30, maxSeconds: 60 }, brake: { ...brake, failedPercent: 10 } }
  expect(mergeChanges(base, mine, theirs)).toEqual({
    patch: {
      pace: { minSeconds: 30, maxSeconds: 60, dailyMost: 200 },
      brake: { ...brake, failedPercent: 10 },
    },
    changes: [],
  })
})

test('what both changed is told by the name of its field, unless they agree', () => {
  const theirs = campaign({ brake: { ...brake, failedPercent: 30 } })
  const mine = { brake: { ...brake, failedPercent: 10 } }
  expect(mergeChanges(base, mine, theirs)).toEqual({ patch: mine, changes: ['Parar quando falharem: 15 → 30'] })
  expect(mergeChanges(base, { brake: { ...brake, failedPercent: 30 } }, theirs).changes).toEqual([])
})

test('what a colleague saved is not undone by a field that was put back as it was', () => {
  const theirs = campaign({ endsAt: '2026-12-24T21:00:00.000Z' })
  expect(mergeChanges(base, { endsAt: null }, theirs)).toEqual({ patch: { endsAt: theirs.endsAt }, changes: [] })
})
