import { expect, test } from 'vitest'
import { arrangePanels, dashboardPanels, panelKeys } from './dashboard-panels.ts'

test('a new person finds every panel once, in its order', () => {
  expect(arrangePanels([]).map(({ key }) => key)).toEqual(panelKeys)
})

test('what a person arranged stays, and a panel they do not know comes after the one it follows', () => {
  const kept = [
    { key: 'status', size: 'wide', isHidden: false },
    { key: 'now', size: 'small', isHidden: true },
  ] as const
  const all = arrangePanels(kept)
  expect(all.map(({ key }) => key).sort()).toEqual([...panelKeys].sort())
  expect(all.filter(({ key }) => key === 'status' || key === 'now')).toEqual(kept)
  expect(all.findIndex(({ key }) => key === 'period')).toBe(all.findIndex(({ key }) => key === 'now') + 1)
})

test('a panel stands on the page once', () => {
  const twice = [
    { key: 'now', size: 'wide', isHidden: false },
    { key: 'now', size: 'small', isHidden: false },
  ]
  expect(dashboardPanels.safeParse(twice).success).toBe(false)
})
