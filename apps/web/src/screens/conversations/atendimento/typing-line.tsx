import classes from './typing-line.module.css'

type Props = { contactName: string | null; colleagues: readonly string[] }

/** Always there, so that nothing jumps when somebody begins to write. */
export const TypingLine = ({ contactName, colleagues }: Props) => {
  const [first, second] = colleagues
  const team = first && (second ? `${first} e ${second} estão escrevendo` : `${first} está escrevendo`)
  const text = [contactName && `${contactName} está digitando`, team].filter(Boolean).join(' · ')
  return (
    <div className={classes.line} role="status" aria-live="polite">
      {text && (
        <>
          <span className={classes.dots} aria-hidden>
            <span />
            <span />
            <span />
          </span>
          <span className="truncate">{text}…</span>
        </>
      )}
    </div>
  )
}
