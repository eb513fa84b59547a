import type { Dashboard } from '@balcao/contract/operations/dashboard.ts'
import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { formatNumber } from '../../../kit/format.ts'
import classes from './hour-chart.module.css'
import { niceTop, peakOf, ticksOf } from './scale.ts'

type Hour = Dashboard['byHour'][number]
const series = [
  { key: 'received', label: 'Recebidas' },
  { key: 'sent', label: 'Enviadas' },
] as const

const height = 220
const margin = { top: 22, right: 8, bottom: 24, left: 40 }

/** Messages of each hour of the day, received and sent side by side, from zero; empty hours stay empty. */
export const HourChart = ({ hours }: { hours: readonly Hour[] }) => {
  const { ref, width } = useElementSize()
  const [pointed, setPointed] = useState<Hour | null>(null)
  const top = niceTop(Math.max(0, ...hours.flatMap((hour) => [hour.received, hour.sent])))
  const slot = Math.max(0, width - margin.left - margin.right) / Math.max(1, hours.length)
  const bar = Math.max(2, Math.min(14, (slot - (slot > 18 ? 6 : 3)) / 2))
  const xOf = (index: number) => margin.left + slot * index + slot / 2
  const yOf = (value: number) => margin.top + (height - margin.top - margin.bottom) * (1 - value / top)
  const base = yOf(0)
  const every = slot < 20 ? 4 : slot < 34 ? 2 : 1

  return (
    <figure className={classes.chart}>
      <div className={classes.key}>
        {series.map(({ key, label }) => (
          <span key={key} data-series={key}>
            {label}
            {pointed && <b className="tabular"> {formatNumber(pointed[key])}</b>}
          </span>
        ))}
        {pointed && <span className={classes.hour}>às {hourText(pointed.hour)}</span>}
      </div>
      <div ref={ref}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label="Mensagens por hora de hoje; os números estão na tabela"
          >
            {ticksOf(top).map((tick) => (
              <g key={tick}>
                <line
                  className={classes.grid}
                  x1={margin.left}
                  x2={width - margin.right}
                  y1={yOf(tick)}
                  y2={yOf(tick)}
                />
                <text className={classes.tick} x={margin.left - 8} y={yOf(tick)} dy="0.32em" textAnchor="end">
                  {formatNumber(tick)}
                </text>
              </g>
            ))}
            {hours.map((hour, index) => (
              <g
                key={hour.hour}
                data-pointed={pointed?.hour === hour.hour}
                onPointerEnter={() => setPointed(hour)}
                onPointerLeave={() => setPointed(null)}
              >
                <rect className={classes.slot} x={xOf(index) - slot / 2} y={0} width={slot} height={base} />
                {series.map(({ key }, side) => (
                  <rect
                    key={key}
                    className={classes.bar}
                    data-series={key}
                    x={xOf(index) - bar - 0.5 + side * (bar + 1)}
                    y={yOf(hour[key])}
                    width={bar}
                    height={base - yOf(hour[key])}
                    rx={Math.min(2, bar / 3)}
                  />
                ))}
                {hour.hour % every === 0 && (
                  <text className={classes.tick} x={xOf(index)} y={height - 6} textAnchor="middle">
                    {hour.hour}h
                  </text>
                )}
              </g>
            ))}
            {series.map(({ key }, side) => {
              const peak = peakOf(hours.map((hour) => hour[key]))
              const value = peak === undefined ? 0 : (hours[peak]?.[key] ?? 0)
              return (
                peak !== undefined && (
                  <text
                    key={key}
                    className={classes.peak}
                    data-series={key}
                    x={xOf(peak) + (side ? 1 : -1)}
                    y={yOf(value) - 6}
                    textAnchor={side ? 'start' : 'end'}
                  >
                    {formatNumber(value)}
                  </text>
                )
              )
            })}
          </svg>
        )}
      </div>
    </figure>
  )
}

export const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`
