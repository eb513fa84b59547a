import type { Campaign } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { expect, test } from 'vitest'
import { startedText, startSentence } from './words.ts'

test('what waits for its hour or for a second person is not said to have begun', () => {
  expect(startedText({ state: 'approval' })).toBe('Enviada para aprovação.')
  expect(startedText({ state: 'scheduled' })).toBe('Campanha agendada.')
  expect(startedText({ state: 'preparing' })).toBe('Campanha iniciada.')
  expect(startedText({ state: 'preparing' }, true)).toBe('Envio iniciado.')
})

test('what begins outside the hours of sending is not said to go out now', () => {
  const campaign = { connections: [{ id: '1', name: 'Loja', kind: 'waba', receipts: [] }] as Campaign['connections'] }
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  expect(startSentence(campaign, { reached: 1, startsAt: at(-1_000) })).toBe(
    'Vai para 1 pessoa por Loja, a partir de agora.',
  )
  const later = startSentence(campaign, { reached: 1_273, startsAt: at(3_600_000) })
  expect(later).toMatch(/^Vai para 1\.273 pessoas por Loja, a partir de \d\d\/\d\d\/\d{4}, \d\d:\d\d\.$/)
})
