const tickMs = 30_000
const limitTicks = 7200

/** After 7200 ticks of 30 s without click, mouse move or key press the page reloads. */
export const watchIdle = (reload: () => void = () => window.location.reload()) => {
  let ticks = 0
  const wake = () => {
    ticks = 0
  }
  const signs = ['click', 'mousemove', 'keydown'] as const
  for (const sign of signs) document.addEventListener(sign, wake, { passive: true })
  const timer = setInterval(() => {
    ticks += 1
    if (ticks > limitTicks) reload()
  }, tickMs)
  return () => {
    clearInterval(timer)
    for (const sign of signs) document.removeEventListener(sign, wake)
  }
}
