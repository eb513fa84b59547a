import type { ReactNode } from 'react'
import { formatNumber } from '../../../kit/format.ts'
import classes from './load-table.module.css'

type Load = { id: string | null; name: string; open: number; pending: number; closedToday: number }
type Props<Row> = { label: string; first: string; rows: readonly Row[]; renderName: (row: Row) => ReactNode }

/** Who carries how much: waiting, in hand and done, with the share of what is active as a bar. */
export const LoadTable = <Row extends Load>({ label, first, rows, renderName }: Props<Row>) => {
  const most = Math.max(1, ...rows.map((row) => row.open + row.pending))
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th>{first}</th>
            <th>Esperando</th>
            <th>Em curso</th>
            <th>Encerrados</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id ?? 'none'}>
              <th scope="row" className={classes.name}>
                <span className={classes.who}>{renderName(row)}</span>
                <span className={classes.track} aria-hidden>
                  <span className={classes.pending} style={{ width: `${(row.pending / most) * 100}%` }} />
                  <span className={classes.open} style={{ width: `${(row.open / most) * 100}%` }} />
                </span>
              </th>
              <Amount value={row.pending} tone="pending" />
              <Amount value={row.open} />
              <Amount value={row.closedToday} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Amount = ({ value, tone }: { value: number; tone?: 'pending' }) => (
  <td data-zero={value === 0} data-tone={tone}>
    {formatNumber(value)}
  </td>
)
