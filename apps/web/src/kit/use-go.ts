import type { KeyboardEvent, MouseEvent } from 'react'
import { useNavigate } from 'react-router'

/** Which keys were held. */
export type Press = Pick<MouseEvent | KeyboardEvent, 'ctrlKey' | 'metaKey'>

/** Navigation from something that is not a link: with Ctrl (or Command) held, the target opens in a new tab. */
export const useGo = () => {
  const navigate = useNavigate()
  return (to: string, press?: Press) => {
    if (press?.ctrlKey || press?.metaKey) window.open(to, '_blank', 'noopener')
    else void navigate(to)
  }
}
