import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './settings.module.css'

type Props = {
  id?: string
  label: ReactNode
  help: ReactNode
  /** What it does as it is now. */
  effect?: ReactNode
  problem?: string
  children: ReactNode
  /** The control is wide and stands below the words. */
  below?: boolean
}

/** One setting: its name, a line of what it is about, its effect now, and the control. */
export const SettingRow = ({ id, label, help, effect, problem, children, below }: Props) => (
  <div className={classes.row} data-below={below}>
    <div className={classes.words}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <p className={classes.help} id={id && `${id}-help`}>
        {help}
      </p>
      {effect && <p className={classes.effect}>{effect}</p>}
      {problem && (
        <Input.Error role="alert" mt={4}>
          {problem}
        </Input.Error>
      )}
    </div>
    <div className={classes.control}>{children}</div>
  </div>
)

type SectionProps = { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode }

export const SettingSection = ({ title, note, actions, children }: SectionProps) => (
  <section className={classes.section} aria-label={title}>
    <div className={classes.head}>
      <h2 className={classes.title}>{title}</h2>
      {actions}
    </div>
    {note && <p className={classes.note}>{note}</p>}
    <div className={classes.card}>{children}</div>
  </section>
)
