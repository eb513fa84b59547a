import { expect, test } from 'vitest'
import { splitText } from './text-parts.ts'

const links = (text: string) =>
  splitText(text)
    .filter((part) => part.href)
    .map(({ text: shown, href }) => [shown, href])

test('links end before the punctuation of the sentence', () => {
  expect(links('Veja https://exemplo.com.br/a?b=1, ou (www.loja.com.br/x).')).toEqual([
    ['https://exemplo.com.br/a?b=1', 'https://exemplo.com.br/a?b=1'],
    ['www.loja.com.br/x', 'https://www.loja.com.br/x'],
  ])
  expect(links('https://pt.wikipedia.org/wiki/A_(letra)')).toHaveLength(1)
  expect(links('https://pt.wikipedia.org/wiki/A_(letra)')[0]?.[0]).toBe('https://pt.wikipedia.org/wiki/A_(letra)')
})

test('an e-mail address opens the mail', () => {
  expect(links('escreva para ana.lima@empresa.com.br.')).toEqual([
    ['ana.lima@empresa.com.br', 'mailto:ana.lima@empresa.com.br'],
  ])
})

test('nothing that could run becomes a link', () => {
  expect(links('javascript:alert(1) data:text/html,x file:///etc <a href="x">')).toEqual([])
})

test('no character is lost, whatever is found', () => {
  const text = 'Oi *Ana*: veja https://x.com/a_b_c e _isto_.\n2 * 3 * 4, snake_case_name ~não~'
  const shown = splitText(text)
  expect(shown.map((part) => part.text).join('').length).toBe(text.length - 6)
  expect(shown.filter((part) => part.mark).map(({ text: inner, mark }) => [inner, mark])).toEqual([
    ['Ana', 'strong'],
    ['isto', 'em'],
    ['não', 's'],
  ])
})

test('long text without links is read in no time', () => {
  const started = performance.now()
  splitText(`${'a'.repeat(4000)} ${'*a '.repeat(1300)} ${'www.'.repeat(1000)}`)
  for (const sign of ['a.', '*a ', '@']) splitText(sign.repeat(20_000))
  expect(performance.now() - started).toBeLessThan(500)
})
