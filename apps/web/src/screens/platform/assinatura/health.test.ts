import type { PlatformSummary } from '@balcao/contract/platform/platform.ts'
import { expect, test } from 'vitest'
import { healthOf } from './health.ts'

const address = 'https://balcao.loja.com.br'
const summary = (health: Partial<PlatformSummary['health']>, freeBytes: number | null = 50e9): PlatformSummary => ({
  version: '1.0.0',
  build: 'dev',
  address,
  node: '24.0.0',
  postgres: '18.4',
  licence: { state: 'none' },
  companies: { active: 2, inactive: 0 },
  users: 6,
  connections: { total: 1, connected: 1 },
  databaseBytes: 1,
  storage: { kind: 'folder', files: 0, bytes: 0, freeBytes },
  health: {
    uptimeS: 60,
    databaseMs: 2,
    inbound: { waiting: 0, oldestS: 0 },
    outbound: { waiting: 0, oldestS: 0 },
    ...health,
  },
})
const states = (of: PlatformSummary) => healthOf(of).map((line) => line.state)

test('an idle installation is fine everywhere', () => {
  expect(states(summary({}))).toEqual(['Normal', 'Normal', 'Normal', 'Normal', 'Normal'])
})

test('what waits is a delay after a minute and a standstill after ten', () => {
  const waiting = (oldestS: number) => summary({ outbound: { waiting: 3, oldestS } })
  expect(states(waiting(59))[2]).toBe('Normal')
  expect(states(waiting(60))[2]).toBe('Atrasado')
  expect(states(waiting(600))[2]).toBe('Parado')
  expect(healthOf(waiting(90))[2]?.detail).toBe('3 mensagens esperando, há até 1 min.')
})

test('a slow database and a full disk are told', () => {
  expect(states(summary({ databaseMs: 400 }))[0]).toBe('Lento')
  expect(states(summary({}, 2e9))[3]).toBe('Pouco espaço')
  expect(states(summary({}, 5e8))[3]).toBe('Quase cheio')
  expect(states(summary({}, null))[3]).toBe('Externo')
})

test('an address that others cannot open is told, with what does not work', () => {
  const reach = (of: string) => states({ ...summary({}), address: of })[4]
  expect(reach('http://localhost:3000')).toBe('Só nesta máquina')
  expect(reach('http://192.168.0.9:3000')).toBe('Sem HTTPS')
  expect(reach('https://balcao.lan')).toBe('Rede interna')
})
