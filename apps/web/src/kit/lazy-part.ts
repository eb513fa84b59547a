import { type ComponentType, createElement, type LazyExoticComponent, lazy } from 'react'

const unloaded: (() => Promise<unknown>)[] = []
let round = 0
/** What could not be loaded may be asked for again: where it is drawn next, it is. */
export const retryParts = () => {
  round += 1
}

/** A part whose code comes when it is first shown, or before, once the screen it belongs to is quiet. */
export const lazyPart: typeof lazy = (load) => {
  unloaded.push(load)
  let failedIn: number | null = null
  const begin = () => {
    failedIn = null
    return lazy(() =>
      load().catch((error: unknown) => {
        failedIn = round
        throw error
      }),
    ) as unknown as ComponentType<object>
  }
  let part = begin()
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, where its file is read
  const Part = (props: object) => {
    // One that failed stays so for React: another takes its place.
    if (failedIn !== null && failedIn !== round) part = begin()
    return createElement(part, props)
  }
  return Part as unknown as LazyExoticComponent<Awaited<ReturnType<typeof load>>['default']>
}

let isLoading = false
/**
 * Loads what has not been shown yet, one after the other, and what that brings along: a dialog opened for the first time
 * without a network is then there. What cannot be loaded now is loaded the next time.
 */
export const loadParts = async () => {
  if (isLoading) return
  isLoading = true
  try {
    for (let load = unloaded[0]; load; load = unloaded[0]) {
      await load()
      unloaded.splice(unloaded.indexOf(load), 1)
    }
  } catch {
    // no network: the next time will do
  } finally {
    isLoading = false
  }
}
