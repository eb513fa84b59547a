import { expect, test } from 'vitest'
import { siteLook, webchatLook } from './webchat-look.ts'

const look = webchatLook.parse({
  proactive: [
    { id: 'a', text: 'Só com alguém aqui', onlyOpen: true },
    { id: 'b', text: 'Desligada', isActive: false },
    { id: 'c', text: 'Sempre', texts: { en: 'Always', es: '' } },
  ],
})
const said = (isOnline: boolean, wanted?: string) => siteLook(look, { wanted, isOnline }).offers.map(({ text }) => text)

test('a site offers what is on, in its order, and out of hours only what does not need somebody there', () => {
  expect(said(true)).toEqual(['Só com alguém aqui', 'Sempre'])
  expect(said(false)).toEqual(['Sempre'])
  expect(said(false, 'en-US')).toEqual(['Always'])
  expect(said(false, 'es')).toEqual(['Sempre'])
})

test.each(['planos', 'loja com br/x', 'javascript:alert(1)', ''])('%j describes no page', (address) => {
  expect(webchatLook.safeParse({ proactive: [{ id: 'a', text: 'Oi', addresses: [address] }] }).success).toBe(false)
})

test('the button speaks to each visitor in their language, and in the words of the company where there are some', () => {
  const labelled = webchatLook.parse({
    launcherLabel: 'Fale conosco',
    translations: { en: { launcherLabel: 'Talk to us' } },
  })
  const button = (wanted: string) => {
    const { label, words } = siteLook(labelled, { wanted, isOnline: true })
    return [label, words?.[0], words?.length]
  }
  expect(button('pt-BR')).toEqual(['Fale conosco', undefined, undefined])
  expect(button('en-US')).toEqual(['Talk to us', 'Open chat', 9])
  expect(button('es-AR')).toEqual(['Fale conosco', 'Abrir chat', 9])
})
