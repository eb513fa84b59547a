import { ActionIcon, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { downloadText, toCsv } from '../../../kit/csv.ts'
import classes from './panel.module.css'

type Csv = { name: string; header: string[]; rows: unknown[][] }
type Props = { title: string; actions?: ReactNode; csv?: Csv; children: ReactNode }

/** A titled part of the page, with its numbers to take away. */
export const Panel = ({ title, actions, csv, children }: Props) => (
  <section className={classes.panel} aria-label={title}>
    <div className={classes.head}>
      <h2 className={classes.title}>{title}</h2>
      {actions}
      {csv && (
        <Tooltip label="Baixar CSV">
          <ActionIcon
            aria-label={`Baixar CSV de ${title.toLowerCase()}`}
            onClick={() => downloadText(toCsv(csv.header, csv.rows), `${csv.name}.csv`)}
          >
            <IconDownload size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
    {children}
  </section>
)
