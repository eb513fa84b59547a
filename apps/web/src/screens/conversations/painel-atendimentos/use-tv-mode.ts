import { useEffect, useState } from 'react'

/** The wall on a television: the whole screen where the browser allows it, larger letters anyway. */
export const useTvMode = () => {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const handleChange = () => !document.fullscreenElement && setOn(false)
    const handleKey = (event: KeyboardEvent) => {
      const isTop = !document.querySelector('[role="dialog"], [role="menu"]')
      if (event.key === 'Escape' && isTop && !document.fullscreenElement) setOn(false)
    }
    document.addEventListener('fullscreenchange', handleChange)
    document.addEventListener('keydown', handleKey)
    return () => {
      document.removeEventListener('fullscreenchange', handleChange)
      document.removeEventListener('keydown', handleKey)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [isOn])
  const toggle = () => {
    // Refused or unknown (a phone): the wall still covers the page.
    if (!isOn) document.documentElement.requestFullscreen?.().catch(() => undefined)
    setOn(!isOn)
  }
  return { isOn, toggle }
}
