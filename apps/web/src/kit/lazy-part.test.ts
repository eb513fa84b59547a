import { createElement } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { lazyPart, loadParts, retryParts } from './lazy-part.ts'

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

test('a part whose code did not come is asked for anew where it is drawn after that', async () => {
  let isOffline = true
  const load = vi.fn(async () => {
    if (isOffline) throw new TypeError('Failed to fetch')
    return { default: part }
  })
  const Part = lazyPart(load)
  const shown = async () => {
    const stream = await renderToReadableStream(createElement(Part), { onError: () => undefined })
    await stream.allReady
  }
  await expect(shown()).rejects.toThrow('Failed to fetch')
  await expect(shown()).rejects.toThrow('Failed to fetch')
  expect(load).toHaveBeenCalledTimes(1)
  isOffline = false
  retryParts()
  await shown()
  expect(load).toHaveBeenCalledTimes(2)
})
