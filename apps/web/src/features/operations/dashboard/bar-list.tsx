import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '../../../kit/format.ts'
import classes from './bar-list.module.css'

export type Bar = { key: string; label: string; qtd: number; percentual: number; color?: string }
const shownFirst = 6

/** Amounts as bars from zero, the most first, each with its number and share: chart and table in one. */
export const BarList = ({
  label,
  of,
  bars,
  none,
}: {
  label: string
  of: string
  bars: readonly Bar[]
  none: string
}) => {
  const [isWhole, setWhole] = useState(false)
  const most = Math.max(1, ...bars.map(({ qtd }) => qtd))
  if (!bars.some(({ qtd }) => qtd > 0)) return <Text c="dimmed">{none}</Text>
  return (
    <>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">Atendimentos</th>
            <th scope="col">Parte</th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? bars : bars.slice(0, shownFirst)).map(({ key, label: name, qtd, percentual, color }) => (
            <tr key={key}>
              <th scope="row">
                <span className="truncate" title={name}>
                  {name}
                </span>
                <span className={classes.track} aria-hidden>
                  <span style={{ width: `${(100 * qtd) / most}%`, ...(color && { background: color }) }} />
                </span>
              </th>
              <td>{formatNumber(qtd)}</td>
              <td>{formatNumber(percentual)}%</td>
            </tr>
          ))}
        </tbody>
      </table>
      {bars.length > shownFirst && (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          style={{ alignSelf: 'flex-start' }}
        >
          {isWhole ? 'Mostrar menos' : `Mostrar todos (${bars.length})`}
        </Button>
      )}
    </>
  )
}
