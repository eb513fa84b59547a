import type { Present } from './availability.ts'
import classes from './person-option.module.css'
import { StateDot } from './state-dot.tsx'

/** A colleague in a picker: whether they are there, and their name. */
export const PersonOption = ({ person, name }: { person: Present | undefined; name: string }) => (
  <span className={classes.option}>
    <StateDot person={person} />
    <span className="truncate">{name}</span>
  </span>
)
