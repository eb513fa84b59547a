import type { ReactNode } from 'react'
import classes from './figure-card.module.css'

type Props = { label: string; value: ReactNode; hint?: ReactNode; tone?: 'waiting' | 'bad' }

/** One number and what it counts. */
export const FigureCard = ({ label, value, hint, tone }: Props) => (
  <div className={classes.card} data-tone={tone}>
    <dt className={classes.label}>{label}</dt>
    <dd className={classes.value}>{value}</dd>
    {hint && <dd className={classes.hint}>{hint}</dd>}
  </div>
)
