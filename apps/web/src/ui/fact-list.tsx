import type { ReactNode } from 'react'
import classes from './fact-list.module.css'

/** What is known of one thing: names on the left, what they say beside them. */
export const FactList = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={classes.facts}>
    {facts.map(([name, value]) => (
      <div key={name} className={classes.fact}>
        <dt>{name}</dt>
        <dd className="tabular">{value}</dd>
      </div>
    ))}
  </dl>
)
