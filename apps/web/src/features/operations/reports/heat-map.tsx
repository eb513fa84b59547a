import { type AnyMeasureKey, measureOf } from '@balcao/contract/operations/reports/measures.ts'
import type { ReportResult } from '@balcao/contract/operations/reports/reports.ts'
import { measureText } from '@balcao/contract/operations/reports/words.ts'
import { Table } from '@mantine/core'
import classes from './report.module.css'

const weekdays = ['Seg', 'Ter', 'Qua', 'Qui', 'Sex', 'Sáb', 'Dom']
const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** A table of days and hours whose cells are as strong as their number is high. */
export const HeatMap = ({ label, result, at }: { label: string; result: ReportResult; at: number }) => {
  const { unit } = measureOf(result.measures[at]?.key as AnyMeasureKey)
  const most = Math.max(...result.rows.map((row) => row.values[at] ?? 0), 0)
  const numberAt = (day: number, hour: number) =>
    result.rows.find((row) => row.id === String((day + 1) * 100 + hour))?.values[at] ?? null
  return (
    <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} mb="md" aria-label={label} role="region">
      <table className={classes.heat} aria-label={label}>
        <thead>
          <tr>
            <td />
            {hours.map((hour) => (
              <th key={hour} scope="col">
                {hour}h
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((name, day) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {hours.map((hour) => {
                const value = numberAt(day, hour)
                const strength = most && value ? value / most : 0
                return (
                  <td
                    key={hour}
                    title={`${name}, ${hour} h: ${measureText(value, unit)}`}
                    data-strong={strength > 0.55}
                    style={{ '--heat': `${Math.round(strength * 100)}%` } as React.CSSProperties}
                  >
                    {value ? (
                      unit === 'count' ? (
                        value
                      ) : (
                        measureText(value, unit)
                      )
                    ) : (
                      <span className={classes.none}>0</span>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Table.ScrollContainer>
  )
}
