import type { ContactImport } from '@balcao/contract/contacts/imports.ts'
import { expect, test } from 'vitest'
import { importState } from './words.ts'

test('an import says how far it is only once there is something to count', () => {
  const running = (counts: Partial<ContactImport['counts']>) =>
    importState({
      state: 'running',
      counts: { created: 0, updated: 0, create: 0, update: 0, ...counts },
    } as ContactImport) // all that its words ask
  expect(running({})).toBe('Importando')
  expect(running({ create: 1_500, update: 500, created: 20 })).toBe('Importando: 20 de 2.000')
})
