/** What is there only while it is open. */
const passing = '[aria-modal=true], [role=menu], search'
/** Where a row may be gone from: not a screen from the page, nor a dialog. */
const lasting = 'main > *, [role=dialog]'
/** They lead the keyboard themselves, or draw only what is in sight. */
const leading = '[data-keys], [data-virtuoso-scroller]'

/**
 * What goes takes the focus in it along. This gives it back: of a dialog of ours to what had it before, of a menu to what
 * opened it, of a row to its neighbour; and to a field that was disabled for a moment.
 */
export const returnFocus = (): void => {
  const openers = new Map<Element, HTMLElement>()
  let last: HTMLElement | null = null
  let isLeft = false
  const watch = new MutationObserver((records) => {
    for (const [entered, opener] of openers) openers.set(entered, standInOf(opener, records))
    for (const [gone, opener] of [...openers].toReversed()) {
      if (gone.isConnected) continue
      openers.delete(gone)
      for (const [entered, inside] of openers) if (gone.contains(inside)) openers.set(entered, opener)
      if (isLost()) give(opener)
    }
    if (last && !isLeft && isLost() && isTouched(last, records)) give(standInOf(last, records))
  })
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })

  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      isLeft = target instanceof Node && !last?.contains(target)
    },
    { capture: true },
  )
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    // What is taken away loses the focus a moment before it goes; what is only disabled will be back.
    if (relatedTarget || !(target instanceof HTMLElement)) return
    setTimeout(() => {
      if (last === target && isLost() && !target.matches(':disabled')) last = null
    })
  })
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    const before = last
    last = target
    isLeft = false
    const entered = target.closest(passing)
    if (!before || !entered || openers.has(entered) || entered.contains(before)) return
    const menu = before.closest('[role=menu]')
    openers.set(entered, (menu && openers.get(menu)) ?? before)
  })
}

/** It has gone, or is disabled no longer. */
const isTouched = (element: HTMLElement, records: readonly MutationRecord[]) =>
  records.some(
    ({ target, removedNodes }) => target === element || [...removedNodes].some((one) => one.contains(element)),
  )
const isLost = () => document.activeElement === null || document.activeElement === document.body

/** It, or what stands where it stood: for something in a row the next row, or the one before; else what held it. */
const standInOf = (element: HTMLElement, records: readonly MutationRecord[]): HTMLElement => {
  let at: Node = element
  for (const { removedNodes, target, nextSibling, previousSibling } of records) {
    if (at.isConnected) break
    const row = [...removedNodes].find((removed) => removed.contains(at))
    if (row) at = [nextSibling, previousSibling].find((other) => isLike(row, other) && row !== element) ?? target
  }
  return at instanceof HTMLElement && at.closest(lasting) && !at.closest(leading) ? at : element
}
const isLike = (row: Node, other: Node | null): other is Node =>
  other?.isConnected === true && other.nodeName === row.nodeName

/** A row takes the focus itself: a second Enter does not do to it what the first did to its neighbour. */
const give = (element: HTMLElement) => {
  const isRow = element.tabIndex < 0 && !element.hasAttribute('tabindex') && !element.matches(':disabled')
  if (isRow) element.tabIndex = -1
  element.focus({ preventScroll: true })
  if (isRow) element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
}
