import type { TemplateShape } from '@balcao/contract/channels/templates.ts'
import { expect, test } from 'vitest'
import { blankUse } from './blank-use.ts'

const template = { name: 'pedido_enviado', language: 'pt_BR' }
const shape = (header: string[], body: string[]): TemplateShape => ({
  header: { kind: 'text', text: '', places: header },
  body: { text: '', places: body },
  footer: '',
  buttons: [],
})

test('a place takes the column of its name, one for a name the name, and no other place is guessed', () => {
  const columns = ['extra.Número', 'extra.Data']
  expect(blankUse(template, shape(['numero'], ['nome_do_cliente', 'data', 'total']), columns)).toEqual({
    ...template,
    header: ['{{extra.Número}}'],
    body: ['{{primeiro_nome}}', '{{extra.Data}}', ''],
    buttons: {},
  })
  expect(blankUse(template, shape(['numero'], ['1', '2']), [])).toMatchObject({
    header: [''],
    body: ['{{primeiro_nome}}', ''],
  })
})
