import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
})
let person = { userId: 'ana', user: { tenantId: 1 } }
vi.mock('../../../kit/session.ts', () => ({ session: { get: () => person, subscribe: () => {} } }))
const { keepUnsaved, readUnsaved } = await import('./unsaved.ts')
const logIn = (userId: string, tenantId = 1) => {
  person = { userId, user: { tenantId } }
}
beforeEach(() => stored.clear())

test('what is not saved of a campaign waits for whoever wrote it, in their company alone (T08)', () => {
  logIn('ana')
  keepUnsaved('c', { name: 'Promoção secreta' })
  for (const [userId, tenantId] of [
    ['bruno', 1],
    ['ana', 2],
  ] as const) {
    logIn(userId, tenantId)
    expect(readUnsaved('c')).toBeNull()
    keepUnsaved('c', {})
  }
  logIn('ana')
  expect(readUnsaved('c')).toEqual({ name: 'Promoção secreta' })
  keepUnsaved('c', {})
  expect([readUnsaved('c'), stored.size]).toEqual([null, 0])
})
