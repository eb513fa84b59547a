import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-header.module.css'

type Props = { title: string; purpose?: string; actions?: ReactNode; children?: ReactNode }

/** Title, one sentence of what the screen is for, actions at the right; below, one line of search and filters. */
export const PageHeader = ({ title, purpose, actions, children }: Props) => (
  <header className={classes.header}>
    <div className={classes.top}>
      <div className={classes.words}>
        <Title order={1}>{title}</Title>
        {purpose && (
          <Text c="dimmed" size="sm" className={classes.purpose}>
            {purpose}
          </Text>
        )}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
    {children && <div className={classes.line}>{children}</div>}
  </header>
)
