import { campaignWrite } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { defaultSettings } from '@balcao/contract/people/settings.ts'
import { expect, test } from 'vitest'
import { holdOf, type Lane } from './holds.ts'

// A Tuesday, 10:00 in São Paulo.
const now = new Date('2026-11-24T13:00:00Z')
const at = (iso: string) => new Date(iso)
const one = campaignStep.parse({ variants: [{ content: { parts: [{ kind: 'text', body: 'Oi' }] } }] })
const lane = (more: Partial<Lane> = {}): Lane => ({
  ...{ connectionId: 'a', step: 0, isRest: false, firstAt: at('2026-11-24T12:00:00Z') },
  ...{ lastAt: at('2026-11-24T12:00:00Z'), ...more },
})
const way = (id: string, options: object = {}, sentToday = 0, writtenToday = 0) => ({
  ...{ id, name: `Loja ${id}`, kind: 'evolution' as const, options, createdAt: at('2026-11-24T12:00:00Z') },
  ...{ sentToday, writtenToday },
})
const hold = (
  given: object,
  { ways = [way('a')], lanes = [lane()], holidays = [] as string[], winners = {}, when = now } = {},
) => {
  const {
    name: _n,
    origin: _o,
    purpose: _p,
    connectionIds: _c,
    startsAt: _s,
    endsAt: _e,
    ...plan
  } = campaignWrite.parse({
    ...{ name: 'Natal', steps: [one, one], ...given },
  })
  const settings = {
    ...defaultSettings,
    holidays: holidays.map((date) => ({ date, description: '', active: true })),
  }
  const row = { plan, winners, startedAt: at('2026-11-24T12:30:00Z') }
  const found = holdOf(row, { ways, lanes }, { settings, timezone: 'America/Sao_Paulo' }, when)
  return found && [found.text, found.until?.toISOString().slice(0, 16)]
}

test('nothing is said where something may leave, or nobody waits', () => {
  expect(hold({})).toBeUndefined()
  expect(hold({ window: { from: '14:00', until: '18:00' } }, { lanes: [] })).toBeUndefined()
  expect(
    hold({}, { ways: [way('a', { dailyMost: 5 }, 5), way('b')], lanes: [lane(), lane({ connectionId: 'b' })] }),
  ).toBeUndefined()
})

test('hours, days and holidays say until when', () => {
  expect(hold({ window: { from: '14:00', until: '18:00' } })).toEqual([
    'Agora está fora do horário de envio.',
    '2026-11-24T17:00',
  ])
  expect(hold({ window: { days: [4] } })).toEqual(['Hoje não é dia de envio.', '2026-11-26T11:00'])
  expect(hold({}, { holidays: ['2026-11-24'] })).toEqual(['Hoje é feriado.', '2026-11-25T11:00'])
  expect(hold({}, { ways: [way('a', { quietFrom: '09:00', quietUntil: '15:00' })] })).toEqual([
    'Loja a está nas horas de silêncio.',
    '2026-11-24T18:00',
  ])
})

test('what a day may have at most says which limit, and goes on the next day it may', () => {
  expect(hold({ pace: { dailyMost: 3 } }, { ways: [way('a', {}, 3, 3)] })).toEqual([
    'O máximo por dia da campanha já saiu hoje por Loja a.',
    '2026-11-25T11:00',
  ])
  expect(hold({}, { ways: [way('a', { warmUpFirst: 20 }, 20)] })?.[0]).toBe(
    'Loja a está em aquecimento e já enviou o que pode hoje.',
  )
  expect(hold({}, { ways: [way('a', { dailyMost: 20 }, 20)] })?.[0]).toBe('Loja a já enviou o máximo de hoje.')
})

test('a follow-up waits for its hour, what is left of a test for its end', () => {
  expect(hold({}, { lanes: [lane({ step: 1, firstAt: at('2026-11-26T02:00:00Z') })] })).toEqual([
    'O envio 2 ainda não chegou à sua hora.',
    '2026-11-26T11:00',
  ])
  const tested = { steps: [{ ...one, variants: [...one.variants, ...one.variants], test: { hours: 4 } }] }
  expect(hold(tested, { lanes: [lane({ isRest: true })] })).toEqual([
    'O teste ainda não terminou: o resto recebe a variante vencedora.',
    '2026-11-24T16:30',
  ])
  expect(hold(tested, { lanes: [lane({ isRest: true })], winners: { 0: 1 } })).toBeUndefined()
})
