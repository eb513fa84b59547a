import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import classes from './search-input.module.css'

type Props = {
  value: string
  onSearch: (text: string) => void
  label: string
  delayMs?: number
  w?: number | string
  /** Has the keyboard when the dialog around it opens. */
  isFirst?: boolean
}

/** Tells what is looked for once the person pauses; the owner keeps it (in the URL, as a rule). */
export const SearchInput = ({ value, onSearch, label, delayMs = 250, w = 280, isFirst }: Props) => {
  const [text, setText] = useState(value)
  const told = useRef(value)
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  const tell = useCallback(() => {
    if (text === told.current) return
    told.current = text
    onSearch(text)
  }, [text, onSearch])
  useEffect(() => {
    const timer = setTimeout(tell, delayMs)
    return () => clearTimeout(timer)
  }, [tell, delayMs])
  return (
    <TextInput
      type="search"
      w={w}
      maw="100%"
      data-autofocus={isFirst}
      className={classes.search}
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      // What is pressed next may lead elsewhere; told later, the search would lead back.
      onBlur={tell}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text && <CloseButton size="sm" aria-label="Limpar busca" onClick={() => setText('')} />}
    />
  )
}
