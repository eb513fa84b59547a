import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

type Props = { icon: ReactNode; title: string; children?: ReactNode; action?: ReactNode; role?: 'status' | 'alert' }

/** What stands where a list or a screen would be: an icon, a sentence, a next step. */
export const Notice = ({ icon, title, children, action, role = 'status' }: Props) => (
  <div className={classes.notice} role={role}>
    <span className={classes.icon} aria-hidden>
      {icon}
    </span>
    <Text fw={600} size="lg">
      {title}
    </Text>
    {children && (
      <Text c="dimmed" maw={440}>
        {children}
      </Text>
    )}
    {action && <div className={classes.action}>{action}</div>}
  </div>
)
