/**
 * Enter takes the choice that is marked. A list forgets which one it marked a moment after it opens (Mantine's `useCombobox`,
 * by a timer): whoever is quicker, or has a slow machine, would send the form instead and lose the words they looked for.
 */
export const takeMarked = (): void => {
  let marked: HTMLElement | null = null
  const end = () => {
    marked = null
  }
  window.addEventListener(
    'keydown',
    (event) => {
      marked = event.key === 'Enter' && !event.isComposing ? markedIn(event.target) : null
      if (marked) event.preventDefault()
    },
    { capture: true },
  )
  window.addEventListener('click', end, { capture: true }) // by the list itself
  window.addEventListener('keydown', () => {
    marked?.click()
    end()
  })
}

const markedIn = (target: EventTarget | null) => {
  const list = target instanceof Element && target.matches('[role=combobox]') && target.getAttribute('aria-controls')
  return list ? document.querySelector<HTMLElement>(`#${CSS.escape(list)} [data-combobox-selected]`) : null
}
