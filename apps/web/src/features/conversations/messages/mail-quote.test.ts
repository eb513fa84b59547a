import { expect, test } from 'vitest'
import { withoutQuote } from './mail-quote.ts'

test.each([
  ['Obrigada!\n\nEm seg., 3 de mar. de 2025 às 10:00, Loja <c@loja.com>\nescreveu:\n\n> Saiu hoje.\n', 'Obrigada!'],
  ['Thanks\n\nOn Mon, Mar 3, 2025 at 10:00 AM Loja <c@loja.com> wrote:\n> Gone', 'Thanks'],
  ['Ok\n-----Mensagem original-----\nDe: Loja\nAssunto: x', 'Ok'],
  ['Ok\n________________________________\nDe: Loja <c@loja.com>\nEnviado: hoje', 'Ok'],
  ['Sim, pode.\n> Posso enviar?\n>\n> Loja\n\n', 'Sim, pode.'],
])('%j says %j', (text, said) => {
  expect(withoutQuote(text).said).toBe(said)
  expect(withoutQuote(text).quoted).not.toBe('')
})

test.each(['Bom dia', 'Em breve escreverei: até lá.', '> só a citação', '> Posso?\nPode.', 'a > b\n> c\nfim'])(
  '%j is shown whole',
  (text) => expect(withoutQuote(text)).toEqual({ said: text, quoted: '' }),
)
