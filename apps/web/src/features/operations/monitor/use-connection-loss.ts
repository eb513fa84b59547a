import { useNetwork } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useConnectionState } from '../../../kit/socket.ts'

/** A socket that comes back within this was not lost. */
const graceMs = 4_000

/** Since when nothing reaches this window, in milliseconds; null while it is connected. */
export const useConnectionLoss = (now: number): number | null => {
  const { online } = useNetwork()
  const isHere = useConnectionState() === 'connected' && online
  const [lostAt, setLostAt] = useState<number | null>(null)
  useEffect(() => {
    setLostAt(isHere ? null : Date.now())
  }, [isHere])
  return lostAt !== null && (!online || now - lostAt > graceMs) ? lostAt : null
}
