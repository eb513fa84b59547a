import { useCallback, useRef } from 'react'

/** The same function for as long as the component is there; it does what it was last drawn with. */
export const useSteady = <A extends unknown[], R>(act: (...given: A) => R) => {
  const latest = useRef(act)
  latest.current = act
  return useCallback((...given: A) => latest.current(...given), [])
}
