import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

/** Beside the conversation where there is room, over it where there is not. */
export const usePanel = () => {
  const isWide = useMediaQuery('(min-width: 1367px)', undefined, { getInitialValueInEffect: false }) ?? true
  const fits = useMediaQuery('(min-width: 1180px)', undefined, { getInitialValueInEffect: false }) ?? true
  const [isKeptOpen, setKeptOpen] = useLocalStorage({
    key: 'painelContato',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  const [isOpenHere, setOpenHere] = useState(false)
  const isOpen = isWide ? isKeptOpen : isOpenHere
  const set = (next: boolean) => (isWide ? setKeptOpen(next) : setOpenHere(next))
  return { isOpen, isOver: !isWide && !fits, toggle: () => set(!isOpen), close: () => set(false) }
}
