type Form = { getInputProps: (...asked: never[]) => { onBlur?: ((...given: never[]) => unknown) | undefined } }

let isPressed = false
if (typeof document !== 'undefined') {
  const on = (name: string, pressed: boolean) =>
    document.addEventListener(
      name,
      () => {
        isPressed = pressed
      },
      { capture: true },
    )
  on('pointerdown', true)
  on('pointerup', false)
  on('pointercancel', false)
}

/** After the press that goes on right now, its click included; at once where there is none. */
const afterPress = (run: () => void) => {
  if (!isPressed) return run()
  const end = new AbortController()
  const over = () => {
    end.abort()
    setTimeout(run)
  }
  for (const name of ['pointerup', 'pointercancel']) document.addEventListener(name, over, { signal: end.signal })
}

/**
 * A form that says what is wrong with a field once the press that left it is over: said earlier, its words would move from
 * under the pointer what is being pressed.
 */
export const sayAfterPress = <F extends Form>(form: F): F => {
  const getInputProps = form.getInputProps as (...asked: unknown[]) => { onBlur?: (...given: unknown[]) => unknown }
  return {
    ...form,
    getInputProps: (...asked: unknown[]) => {
      const props = getInputProps(...asked)
      const { onBlur } = props
      return onBlur ? { ...props, onBlur: (...given: unknown[]) => afterPress(() => onBlur(...given)) } : props
    },
  }
}
