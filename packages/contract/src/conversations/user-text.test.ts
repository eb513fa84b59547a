import { expect, test } from 'vitest'
import { parseUserText } from './user-text.ts'

test('WhatsApp marks become styles, also inside each other', () => {
  expect(parseUserText('oi *tudo _bem_* ~não~ `cod`')).toEqual([
    { kind: 'text', text: 'oi ' },
    {
      kind: 'bold',
      parts: [
        { kind: 'text', text: 'tudo ' },
        { kind: 'italic', parts: [{ kind: 'text', text: 'bem' }] },
      ],
    },
    { kind: 'text', text: ' ' },
    { kind: 'strike', parts: [{ kind: 'text', text: 'não' }] },
    { kind: 'text', text: ' ' },
    { kind: 'mono', text: 'cod' },
  ])
})

test('marks inside words and sums stay as they were typed', () => {
  for (const text of ['nome_do_arquivo_x', '2 * 3 * 4', 'R$ 10 ~ 20', '* item', '<script>alert(1)</script>'])
    expect(parseUserText(text)).toEqual([{ kind: 'text', text }])
})

test('links lose the punctuation after them, and only web addresses are links', () => {
  expect(parseUserText('veja https://loja.com.br/a?b=1_2_3.')).toEqual([
    { kind: 'text', text: 'veja ' },
    { kind: 'link', text: 'https://loja.com.br/a?b=1_2_3', href: 'https://loja.com.br/a?b=1_2_3' },
    { kind: 'text', text: '.' },
  ])
  expect(parseUserText('(www.loja.com.br)')[1]).toEqual({
    kind: 'link',
    text: 'www.loja.com.br',
    href: 'https://www.loja.com.br',
  })
  expect(parseUserText('javascript:alert(1)')).toEqual([{ kind: 'text', text: 'javascript:alert(1)' }])
})
