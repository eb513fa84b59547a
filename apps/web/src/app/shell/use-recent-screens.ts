import { useLocalStorage } from '@mantine/hooks'
import { useEffect } from 'react'
import { useCurrentSession } from '../../kit/session.ts'
import type { Screen } from '../screens.ts'

const most = 12

/** Paths of the screens opened last in this browser, newest first; the one that is open is remembered too. */
export const useRecentScreens = (current: Screen | undefined): string[] => {
  const { userId } = useCurrentSession()
  const [paths, setPaths] = useLocalStorage<string[]>({ key: `telas:${userId}`, defaultValue: [] })
  const path = current?.path
  useEffect(() => {
    if (path) setPaths((now) => [path, ...now.filter((one) => one !== path)].slice(0, most))
  }, [path, setPaths])
  return paths
}
