import { expect, test } from 'vitest'
import { filledSignature, mailSignature } from './mail-signature.ts'

test('a signature names who writes, and says nothing of what is not known', () => {
  const text = '*{{ atendente }}*\n{{fila}}\n\n{{empresa}} · loja.com.br'
  const facts = { atendente: 'Ana', fila: 'Vendas', empresa: 'Loja Aurora' }
  expect(filledSignature(text, facts)).toBe('*Ana*\nVendas\n\nLoja Aurora · loja.com.br')
  expect(filledSignature(text, { ...facts, atendente: '', fila: '' })).toBe('Loja Aurora · loja.com.br')
  expect(filledSignature('-- \n{{atendente}}', { ...facts, atendente: '{{empresa}}' })).toBe('-- \n{{empresa}}')
})

test('a placeholder that stands for nothing is refused where it is written', () => {
  expect(mailSignature.safeParse('{{name}}').error?.issues[0]?.message).toBe(
    'A variável {{name}} não existe em assinaturas.',
  )
  expect(mailSignature.parse(' {{atendente}} ')).toBe('{{atendente}}')
})
