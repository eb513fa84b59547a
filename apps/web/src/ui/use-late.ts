import { useEffect, useState } from 'react'

/** True once `waiting` has lasted the delay: a skeleton appears after 200 ms, never for a blink. */
export const useLate = (waiting: boolean, afterMs = 200) => {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return setLate(false)
    const timer = setTimeout(() => setLate(true), afterMs)
    return () => clearTimeout(timer)
  }, [waiting, afterMs])
  return waiting && late
}
