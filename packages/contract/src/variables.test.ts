import { expect, test } from 'vitest'
import { fillVariables, greetingAt, unknownVariables, type VariableContext, variables } from './variables.ts'

const context: VariableContext = {
  name: 'João da Silva & Cia <ME>',
  protocol: '20261118000042',
  email: 'joao@exemplo.com.br',
  phoneNumber: null,
  user: 'Ana',
  extra: [
    { name: 'Número do pedido', value: 'A-{{name}}' },
    { name: 'cidade', value: 'Santos' },
  ],
  timeZone: 'America/Sao_Paulo',
}
const noon = new Date('2026-11-18T12:00:00-03:00')
const fill = (text: string) => fillVariables(text, context, noon)

test('placeholders become what they stand for, and nothing is escaped', () => {
  expect(fill('{{greeting}}, {{ firstName }}! {{name}} · {{lastName}} · {{protocol}} · {{user}}')).toBe(
    'Boa tarde, João! João da Silva & Cia <ME> · da Silva & Cia <ME> · 20261118000042 · Ana',
  )
})

test('the names of before mean what those of today do, and are not offered', () => {
  expect(fill('{{saudacao}}, {{primeiro_nome}}!')).toBe(fill('{{greeting}}, {{firstName}}!'))
  expect(unknownVariables('{{saudacao}} {{primeiro_nome}} {{greeting}} {{firstName}}')).toEqual([])
  expect(variables.map(({ name }) => name)).not.toContain('firstName')
})

test('what is not known is empty, and only double braces count', () => {
  expect(fill('[{{phoneNumber}}][{{kanban}}][{{nome}}][{{}}]')).toBe('[][][][]')
  expect(fill('{name} {"a":{"b":1}} $1 $&')).toBe('{name} {"a":{"b":1}} $1 $&')
})

test('all that is offered can be filled', () => {
  const whole = {
    ...context,
    businessName: 'Padaria',
    kanban: 'Proposta',
    phoneNumber: '+5511987654321',
    userEmail: 'ana@loja.com.br',
  }
  for (const { name } of variables) expect([name, fillVariables(`{{${name}}}`, whole, noon)]).not.toEqual([name, ''])
})

test('extra fields are read by their own name, and a value is never filled in again', () => {
  expect(fill('{{extra.cidade}} {{extra.Número do pedido}} {{extra.outro}}|')).toBe('Santos A-{{name}} |')
})

test('unknown placeholders are reported once each, extra fields are not', () => {
  expect(unknownVariables('{{nome}} {{name}} {{ nome }} {{Name}} {{extra.x}} {{extra.}} {{}} {{toString}}')).toEqual([
    'nome',
    'Name',
    'extra.',
    '',
    'toString',
  ])
  expect(unknownVariables('Olá, {{firstName}}! {ok}')).toEqual([])
})

test.each([
  ['00:00', 'Olá'],
  ['05:59', 'Olá'],
  ['06:00', 'Bom dia'],
  ['11:59', 'Bom dia'],
  ['12:00', 'Boa tarde'],
  ['17:59', 'Boa tarde'],
  ['18:00', 'Boa noite'],
  ['23:59', 'Boa noite'],
])('at %s the greeting is %s, by the clock of the company', (clock, greeting) => {
  expect(greetingAt(new Date(`2026-11-18T${clock}:00-03:00`), 'America/Sao_Paulo')).toBe(greeting)
})

test('the same moment greets differently in another time zone', () => {
  const moment = new Date('2026-11-18T12:30:00-03:00')
  expect(greetingAt(moment, 'America/Rio_Branco')).toBe('Bom dia')
})
