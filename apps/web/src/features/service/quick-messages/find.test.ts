import type { QuickMessage } from '@balcao/contract/service/quick-messages.ts'
import { expect, test } from 'vitest'
import { findQuickMessages } from './find.ts'

const quick = (key: string, message: string) => ({ key, message }) as QuickMessage // the finder reads only these

test('shortcuts come before words of the text, accents do not matter', () => {
  const all = [quick('prazo', 'Entregamos em 7 dias'), quick('pagar-pix', 'Chave'), quick('horário', 'Prazo de loja')]
  expect(findQuickMessages(all, 'p').map((one) => one.key)).toEqual(['pagar-pix', 'prazo', 'horário'])
  expect(findQuickMessages(all, 'horario').map((one) => one.key)).toEqual(['horário'])
  expect(findQuickMessages(all, 'zzz')).toEqual([])
})
