import { expect, test } from 'vitest'
import { draftProblems, emptyDraft, type TemplateDraft, templateNameOf } from './template-draft.ts'

const fine: TemplateDraft = {
  ...emptyDraft,
  name: 'pedido_enviado',
  body: { text: 'Oi {{1}}, seu pedido chega {{2}} na sua casa.', examples: ['Ana', 'hoje'] },
}
const paths = (more: Partial<TemplateDraft>) => draftProblems({ ...fine, ...more }).map(({ path }) => path)
const body = (text: string, examples: string[] = ['a', 'b', 'c']) => ({ body: { text, examples } })
const button = (kind: TemplateDraft['buttons'][number]['kind'], text: string, value = '', example = '') => ({
  kind,
  text,
  value,
  example,
})

test('a template as it should be has no problems, numbered or named', () => {
  expect(draftProblems(fine)).toEqual([])
  expect(paths(body('Oi {{nome}}, chega {{dia}} com certeza.'))).toEqual([])
})

test.each([
  ['a name with capitals', { name: 'Pedido' }, 'draft.name'],
  ['places of both kinds', body('Oi {{1}}, tudo certo {{nome}} por aqui?'), 'draft.body.text'],
  ['a number left out', body('Oi {{2}}, tudo certo por aqui?'), 'draft.body.text'],
  ['half a place', body('Oi {{1, tudo certo?'), 'draft.body.text'],
  ['two places side by side', body('Oi {{1}} {{2}}, tudo bem com você hoje?'), 'draft.body.text'],
  ['a place at its end', body('Seu pedido chega hoje, {{1}}'), 'draft.body.text'],
  ['hardly any words', body('Oi {{1}} e {{2}} sim'), 'draft.body.text'],
  ['a place without an example', body('Oi {{1}}, tudo certo?', []), 'draft.body.examples.0'],
  ['1,025 letters', body('a'.repeat(1_025)), 'draft.body.text'],
  ['a place in its footer', { footer: 'Oi {{1}}' }, 'draft.footer'],
  [
    'a header of two places',
    { header: { kind: 'text', text: '{{1}} a {{2}}', example: 'x', mediaId: null } },
    'draft.header.text',
  ],
  [
    'a picture without an example',
    { header: { kind: 'image', text: '', example: '', mediaId: null } },
    'draft.header.mediaId',
  ],
  ['three links', { buttons: [1, 2, 3].map((n) => button('url', `L${n}`, 'https://a.com')) }, 'draft.buttons'],
  [
    'replies apart',
    { buttons: [button('reply', 'A'), button('phone', 'L', '+551130000000'), button('reply', 'B')] },
    'draft.buttons',
  ],
  ['the same button twice', { buttons: [button('reply', 'A'), button('reply', 'A')] }, 'draft.buttons.1.text'],
  [
    'a place in the midst of a link',
    { buttons: [button('url', 'L', 'https://a.com/{{1}}/x', 'y')] },
    'draft.buttons.0.value',
  ],
  ['a link that is none', { buttons: [button('url', 'L', 'loja.com')] }, 'draft.buttons.0.value'],
] as [string, Partial<TemplateDraft>, string][])('%s is refused at its field', (_name, more, path) => {
  expect(paths(more)).toContain(path)
})

test('what is typed as a name becomes one that Meta takes', () => {
  expect(templateNameOf('Pedido enviado, João!')).toBe('pedido_enviado_joao_')
})
