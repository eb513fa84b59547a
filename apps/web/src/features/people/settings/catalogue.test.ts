import { defaultSettings, exclusionProblem } from '@balcao/contract/people/settings.ts'
import { exclusiveSettings } from '@balcao/contract/people/visibility.ts'
import { expect, test } from 'vitest'
import { switchSections } from './catalogue.ts'

const cards = switchSections.flatMap((section) => section.cards)

test('every switch of a company stands on the screen, once', () => {
  const switches = Object.entries(defaultSettings).filter(([, value]) => typeof value === 'boolean')
  expect(cards.map((one) => one.name).sort()).toEqual(switches.map(([name]) => name).sort())
})

test('the switches that exclude each other come first, under the note that says so', () => {
  const [first] = switchSections
  expect(first?.cards.slice(0, 3).map((one) => one.name)).toEqual([...exclusiveSettings])
  expect(first?.note).toContain('só uma')
})

test('of two that exclude each other, the one turned on is named, with the words of the other', () => {
  const now = { ...defaultSettings, nullticket: true }
  expect(exclusionProblem(now, { NotViewTicketsChatBot: true })).toEqual({
    path: 'NotViewTicketsChatBot',
    message: expect.stringContaining('Mostrar a todos os atendimentos sem fila'),
  })
  expect(exclusionProblem(now, { signed: true })).toBeUndefined()
  expect(exclusionProblem(now, { nullticket: false, NotViewTicketsChatBot: true })).toBeUndefined()
})
