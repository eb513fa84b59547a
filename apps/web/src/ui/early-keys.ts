const awaitedMs = 10_000
const field = 'input, textarea, select, [contenteditable]'
/** Where letters mean something else. */
const popup = '[role=menu], [role=listbox], [role=dialog]'

/**
 * Whoever presses “Criar” by keyboard goes on typing, also while the form is still on its way, as the first time, with its
 * code. The button has no use for it: it is kept, and written in the field that takes the focus.
 */
export const keepEarlyKeys = (): void => {
  let typed = ''
  let pressedAt = Number.NEGATIVE_INFINITY
  const begin = (at: number) => {
    typed = ''
    pressedAt = at
  }
  const end = () => begin(Number.NEGATIVE_INFINITY)
  const isEarly = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
    performance.now() - pressedAt < awaitedMs &&
    !(ctrlKey || metaKey || altKey) &&
    target instanceof Element &&
    !target.closest(`${field}, ${popup}`)

  window.addEventListener('pointerdown', end, { capture: true })
  window.addEventListener(
    'click',
    ({ target }) => target instanceof Element && target.closest('button') && begin(performance.now()),
    { capture: true },
  )
  window.addEventListener('keydown', (event) => {
    const { key } = event
    if (!isEarly(event)) return
    if (key === 'Tab' || key === 'Escape' || key.startsWith('Arrow')) return end()
    if (!typed || event.defaultPrevented) return
    if (key === 'Backspace') typed = typed.slice(0, -1)
    if (key === ' ') typed += key
    if (key === ' ' || key === 'Enter') event.preventDefault() // it would press the button again
  })
  // Told only of a key that nobody has taken for a shortcut, and where the focus is by then.
  window.addEventListener('keypress', (event) => {
    if (isEarly(event) && event.key.length === 1 && event.key !== ' ') typed += event.key
  })
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element) || !target.matches(field)) return
    const early = typed
    end()
    if (early) queueMicrotask(() => document.execCommand('insertText', false, early))
  })
}
