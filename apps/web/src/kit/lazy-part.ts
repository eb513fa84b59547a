import { lazy } from 'react'

const unloaded: (() => Promise<unknown>)[] = []

/** A part whose code comes when it is first shown, or before, once the screen it belongs to is quiet. */
export const lazyPart: typeof lazy = (load) => {
  unloaded.push(load)
  return lazy(load)
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
