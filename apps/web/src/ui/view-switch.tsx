import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './view-switch.module.css'

type Props = {
  value: string
  onChange: (value: string) => void
  views: { value: string; label: string; icon: ReactNode }[]
}

/** The ways one thing can be looked at: list, board, month. */
export const ViewSwitch = ({ value, onChange, views }: Props) => (
  <SegmentedControl
    aria-label="Como ver"
    value={value}
    onChange={onChange}
    data={views.map((view) => ({
      value: view.value,
      label: (
        <span className={classes.view}>
          {view.icon}
          {view.label}
        </span>
      ),
    }))}
  />
)
