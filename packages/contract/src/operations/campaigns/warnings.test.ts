import { expect, test } from 'vitest'
import { campaignContent } from './content.ts'
import { isSameForAll, saysHowToStop, textWarnings } from './warnings.ts'

const content = (body: string) => campaignContent.parse({ parts: [{ kind: 'text', body }] })

test('shortened links, capitals and repeated signs are told, and ordinary words are not', () => {
  expect(textWarnings('Veja em bit.ly/promo')).toEqual([expect.stringContaining('bit.ly/promo')])
  expect(textWarnings('Veja em https://abit.lyra.com.br')).toEqual([])
  expect(textWarnings('SUPER PROMOÇÃO IMPERDÍVEL SÓ HOJE {{primeiro_nome}}')).toHaveLength(1)
  expect(textWarnings('Oi, {{primeiro_nome}}! OK?')).toEqual([])
  expect(textWarnings('Só hoje!!!!')).toHaveLength(1)
})

test('it is known whether a text says how to stop, by the words of the company', () => {
  expect(saysHowToStop(['Para não receber mais, responda SAIR.'], ['Sair'])).toBe(true)
  expect(saysHowToStop(['Vamos sairmos juntos'], ['Sair'])).toBe(false)
  expect(saysHowToStop(['Descadastre-se no link'], [])).toBe(true)
})

test('one text for all is one without variables, choices and variants', () => {
  expect(isSameForAll([content('Oferta de hoje')])).toBe(true)
  expect(isSameForAll([content('Oferta para {{primeiro_nome}}')])).toBe(false)
  expect(isSameForAll([content('{Oi|Olá}, oferta')])).toBe(false)
  expect(isSameForAll([content('a'), content('b')])).toBe(false)
})
