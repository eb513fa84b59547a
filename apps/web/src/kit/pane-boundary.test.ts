import { afterEach, expect, test, vi } from 'vitest'
import { PaneBoundary } from './pane-boundary.tsx'

afterEach(() => vi.unstubAllGlobals())

const fallen = (error: unknown, fallback?: string) => {
  const pane = new PaneBoundary({ children: 'inside', fallback })
  pane.state = PaneBoundary.getDerivedStateFromError(error) // what React does with what was thrown
  return pane
}

test('what stands is drawn, what fell makes room for its fallback or for a sentence', () => {
  expect(new PaneBoundary({ children: 'inside' }).render()).toBe('inside')
  expect(fallen(new Error('x'), 'beside').render()).toBe('beside')
  expect(fallen(undefined, 'beside').render()).toBe('beside')
  expect(fallen(new Error('x')).render()).toMatchObject({ props: { onRetry: expect.any(Function) } })
})

test('code of a version that is gone is told to the page, which loads the new one', () => {
  const gone = new TypeError('Failed to fetch dynamically imported module: /assets/chat.js')
  expect(() => fallen(gone, 'beside').render()).toThrow(gone)
})

test('without a network what was never opened before leaves the screen standing', () => {
  vi.stubGlobal('navigator', { onLine: false })
  const gone = new TypeError('Failed to fetch dynamically imported module: /assets/transfer.js')
  expect(fallen(gone).render()).toMatchObject({ props: { title: 'Isso só abre com internet' } })
})
