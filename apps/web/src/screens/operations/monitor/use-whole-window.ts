import { useEffect } from 'react'
import { useIsDark } from '../../../kit/session.ts'

/** Dark or light for this screen alone; the others stay as the person chose. */
export const useScheme = (scheme: 'dark' | 'light') => {
  const isDark = useIsDark()
  useEffect(() => {
    const root = document.documentElement
    root.setAttribute('data-mantine-color-scheme', scheme)
    return () => root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
  }, [scheme, isDark])
}

/** What lies behind an element that covers the window is not reached by Tab, nor read out. */
export const coverWindow = (element: HTMLElement | null) => {
  const behind: HTMLElement[] = []
  for (let one = element; one?.parentElement && one.parentElement.id !== 'app'; one = one.parentElement)
    for (const sibling of one.parentElement.children)
      if (sibling !== one && sibling instanceof HTMLElement && !sibling.inert && sibling.tagName !== 'STYLE') {
        sibling.inert = true
        behind.push(sibling)
      }
  return () => {
    for (const one of behind) one.inert = false
  }
}
