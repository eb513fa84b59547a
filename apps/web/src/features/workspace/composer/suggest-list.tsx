import { type ReactNode, useEffect, useRef } from 'react'
import classes from './suggest-list.module.css'

/** One thing the composer offers while a word is typed. */
export type Suggestion = {
  id: string
  label: string
  detail?: ReactNode
  icon?: ReactNode
  /** Why it cannot be picked now. */
  refusal?: string
  /** What picking it would write or do, drawn beside the list. */
  preview?: ReactNode
}
type Props = {
  label: string
  items: readonly Suggestion[]
  activeIndex: number
  /** What to say when there is nothing. */
  empty: string
  onHover: (index: number) => void
  onPick: (index: number) => void
}

export const suggestListId = 'suggest-list'
export const suggestionId = (index: number) => `suggest-${index}`

/** What a word in the composer finds, over it. The keys stay with the composer. */
export const SuggestList = ({ label, items, activeIndex, empty, onHover, onPick }: Props) => {
  const active = items[activeIndex]
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`[data-index="${activeIndex}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [activeIndex])
  return (
    <div className={classes.frame} data-preview={Boolean(active?.preview)}>
      <div ref={list} className={classes.list} role="listbox" id={suggestListId} aria-label={label}>
        {items.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the composer keeps the focus and handles the keys
          <div
            key={item.id}
            id={suggestionId(index)}
            data-index={index}
            role="option"
            tabIndex={-1}
            aria-selected={index === activeIndex}
            aria-disabled={item.refusal ? true : undefined}
            className={classes.item}
            onMouseMove={() => onHover(index)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(index)}
          >
            {item.icon}
            <strong className="truncate">{item.label}</strong>
            <span className="truncate">{item.refusal ?? item.detail}</span>
          </div>
        ))}
        {items.length === 0 && <p className={classes.none}>{empty}</p>}
      </div>
      {active?.preview && (
        <div className={classes.preview}>
          <span className={classes.label}>Prévia</span>
          {active.preview}
        </div>
      )}
    </div>
  )
}
