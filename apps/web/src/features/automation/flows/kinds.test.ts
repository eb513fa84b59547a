import { flowActions } from '@balcao/contract/automation/flows/graph.ts'
import { expect, test } from 'vitest'
import { actionsLike, kindsLike, palette } from './kinds.ts'

const all = palette.flatMap(({ kinds }) => kinds)

test('a step is found by its name first, then by what it does', () => {
  expect(kindsLike(all, 'webhook')).toEqual(['http', 'action'])
  expect(kindsLike(all, 'horário')[0]).toBe('hours')
  expect(kindsLike(all, '')).toEqual(all)
})

test.each([
  ['etiquetas', 'action'],
  ['typebot', 'assistant'],
  ['imagem', 'message'],
  ['botões', 'menu'],
])('%s leads to the step that does it', (text, kind) => {
  expect(kindsLike(all, text)).toContain(kind)
})

test('what an actions step can do is found by its own name', () => {
  expect(actionsLike(flowActions, 'sms')).toEqual(['sms'])
  expect(actionsLike(flowActions, 'OPORTUNIDADE')).toContain('opportunity')
  expect(actionsLike(flowActions, ' ')).toEqual([])
})
