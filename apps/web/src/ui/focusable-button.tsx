import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useRef,
  useState,
} from 'react'

/**
 * The element of every Button and ActionIcon. A browser takes the focus from what gets disabled, and whoever works by
 * keyboard would be nowhere: one that is put out of use while it has the focus, as by being busy, keeps it and does nothing.
 */
export const FocusableButton = ({ disabled, type = 'button', ...props }: ComponentProps<'button'>) => {
  const [hasFocus, setHasFocus] = useState(false)
  const wasOff = useRef(false)
  useEffect(() => {
    if (disabled) wasOff.current = true
  }, [disabled])
  /** A double click, or a key held down, is one press: what it began may be over before its end. */
  const refuse = (event: MouseEvent | KeyboardEvent, isSamePress: boolean) => {
    if (!disabled && !(wasOff.current && isSamePress)) return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (refuse(event, event.detail > 1)) return
    wasOff.current = false
    props.onClick?.(event)
  }
  const handleKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key === 'Enter' && event.repeat && refuse(event, true)) return
    props.onKeyDown?.(event)
  }
  const handleFocus = (event: FocusEvent<HTMLButtonElement>) => {
    setHasFocus(true)
    props.onFocus?.(event)
  }
  const handleBlur = (event: FocusEvent<HTMLButtonElement>) => {
    setHasFocus(document.activeElement === event.currentTarget) // it still has it in a window one has gone away from
    props.onBlur?.(event)
  }
  return (
    <button
      {...props}
      type={type}
      disabled={disabled && !hasFocus}
      aria-disabled={disabled || undefined}
      onClick={handleClick}
      onKeyDown={handleKeyDown}
      onFocus={handleFocus}
      onBlur={handleBlur}
    />
  )
}
