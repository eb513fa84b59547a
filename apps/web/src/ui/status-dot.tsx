import classes from './status-dot.module.css'

export type StatusTone = 'good' | 'waiting' | 'bad' | 'quiet' | 'bot' | 'note'

/** A state in one glance and one word; the word is never left to colour alone. */
export const StatusDot = ({ tone, label, hideLabel }: { tone: StatusTone; label: string; hideLabel?: boolean }) => (
  <span className={classes.status} data-tone={tone} title={hideLabel ? label : undefined}>
    <span className={classes.dot} aria-hidden />
    <span className={hideLabel ? classes.unseen : undefined}>{label}</span>
  </span>
)
