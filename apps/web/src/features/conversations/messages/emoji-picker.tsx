import { TextInput, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { emojiGroups } from './emoji.ts'
import classes from './emoji-picker.module.css'

const recentKey = 'emojisRecentes'
const columns = 8

/** The emoji of everyday work, found by their Portuguese names; the last used come first. */
export const EmojiPicker = ({ onPick }: { onPick: (emoji: string) => void }) => {
  const [search, setSearch] = useState('')
  const [recent, setRecent] = useState(storedRecent)
  const grid = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus() // it loads after the popover has placed the focus
  }, [])
  const groups = useMemo(() => {
    const wanted = plain(search.trim())
    if (wanted) {
      const found = emojiGroups.flatMap((group) => group.emoji.filter(({ words }) => plain(words).includes(wanted)))
      return [{ name: 'Resultados', emoji: found }]
    }
    const known = emojiGroups.flatMap((group) => group.emoji)
    const last = recent.flatMap((char) => known.find((one) => one.char === char) ?? [])
    return [...(last.length ? [{ name: 'Recentes', emoji: last }] : []), ...emojiGroups]
  }, [search, recent])

  const pick = (char: string) => {
    const next = [char, ...recent.filter((one) => one !== char)].slice(0, columns * 2)
    setRecent(next)
    localStorage.setItem(recentKey, JSON.stringify(next))
    onPick(char)
  }
  const handleKey = (event: KeyboardEvent) => {
    const buttons = [...(grid.current?.querySelectorAll('button') ?? [])]
    const at = buttons.findIndex((button) => button.matches(':focus'))
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key]
    if (step === undefined || (at === -1 && event.key !== 'ArrowDown')) return
    event.preventDefault()
    buttons[at === -1 ? 0 : Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the buttons inside
    <div onKeyDown={handleKey}>
      <TextInput
        ref={field}
        size="sm"
        aria-label="Buscar emoji"
        placeholder="Buscar emoji"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = groups[0]?.emoji[0]
          if (event.key !== 'Enter' || !first) return
          event.preventDefault()
          pick(first.char)
        }}
      />
      <div ref={grid} className={classes.scroll}>
        {groups.map((group) => (
          <section key={group.name} aria-label={group.name}>
            <h3 className={classes.name}>{group.name}</h3>
            <div className={classes.grid}>
              {group.emoji.map(({ char, words }) => (
                <UnstyledButton
                  key={char}
                  className={classes.emoji}
                  title={words}
                  aria-label={words}
                  onClick={() => pick(char)}
                >
                  {char}
                </UnstyledButton>
              ))}
            </div>
            {group.emoji.length === 0 && <p className={classes.none}>Nenhum emoji com esse nome.</p>}
          </section>
        ))}
      </div>
    </div>
  )
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const storedRecent = (): string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(recentKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
