import { expect, test } from 'vitest'
import { lazyPart, loadParts } from './lazy-part.ts'

const part = () => null

test('what was not shown yet is loaded in turn, with what it brings along; what failed, the next time', async () => {
  const loaded: string[] = []
  let isOffline = true
  lazyPart(async () => {
    loaded.push('dialog')
    lazyPart(async () => {
      loaded.push('inside it')
      return { default: part }
    })
    return { default: part }
  })
  lazyPart(async () => {
    if (isOffline) throw new TypeError('Failed to fetch')
    loaded.push('drawer')
    return { default: part }
  })

  await loadParts()
  expect(loaded).toEqual(['dialog'])
  isOffline = false
  await Promise.all([loadParts(), loadParts()])
  expect(loaded).toEqual(['dialog', 'drawer', 'inside it'])
  await loadParts()
  expect(loaded).toHaveLength(3)
})
