import { afterEach, expect, test, vi } from 'vitest'
import { linkToTicket } from './address.ts'

const at = (address: string) => vi.stubGlobal('window', { location: new URL(address, 'http://balcao.local') })
afterEach(() => vi.unstubAllGlobals())

test('from the inbox a link to a conversation takes the filter along, not the page of messages', () => {
  at('/atendimento/um?aba=pendentes&fila=7&pageNumber=3&t=1&m=velha')
  expect(linkToTicket('dois')).toBe('/atendimento/dois?aba=pendentes&fila=7')
  expect(linkToTicket('dois', 'nova')).toBe('/atendimento/dois?aba=pendentes&fila=7&m=nova')
})

test('from another screen it takes nothing along', () => {
  at('/contatos?busca=rita')
  expect(linkToTicket('dois')).toBe('/atendimento/dois')
})
