/** What is there only while it is open. */
const passing = '[aria-modal=true], [role=menu], search'

/**
 * A dialog of ours goes as it closes, and the focus in it would be lost. This gives it back, for every one of them, to
 * what had it before; out of a menu, to what opened the menu.
 */
export const returnFocus = (): void => {
  const openers = new Map<Element, HTMLElement>()
  let last: HTMLElement | null = null
  const watch = new MutationObserver(() => {
    for (const [gone, opener] of [...openers].toReversed()) {
      if (gone.isConnected) continue
      openers.delete(gone)
      const isLost = document.activeElement === null || document.activeElement === document.body
      if (isLost) opener.focus({ preventScroll: true })
    }
    if (openers.size === 0) watch.disconnect()
  })

  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    const isBusy = target instanceof HTMLElement && target.matches(':disabled') // and will be back
    if (!relatedTarget && !isBusy) last = null
  })
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    const before = last
    last = target
    const entered = target.closest(passing)
    if (!before || !entered || openers.has(entered) || entered.contains(before)) return
    const menu = before.closest('[role=menu]')
    openers.set(entered, (menu && openers.get(menu)) ?? before)
    watch.observe(document.body, { childList: true, subtree: true })
  })
}
