import type { RatingSettings, RatingSummary } from '@balcao/contract/service/ratings.ts'
import { UnstyledButton } from '@mantine/core'
import { formatNumber, plural } from '../../../kit/format.ts'
import { goodnessOf, toneOf } from './grade-mark.tsx'
import classes from './rating-summary.module.css'

type Props = {
  summary: RatingSummary
  options: RatingSettings['options']
  /** Grades the list is held to. */
  chosen: readonly string[]
  onChoose: (grades: string[]) => void
}

const decimal = (value: number) => value.toLocaleString('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 2 })
const share = (part: number, whole: number) => (whole ? Math.round((part / whole) * 100) : 0)

/** What the ratings came to: the mean, how many answered, how the grades spread, and by whom. */
export const RatingSummaryCards = ({ summary, options, chosen, onChoose }: Props) => {
  const { asked, answered, average, grades, people } = summary
  const values = options.map((one) => one.value)
  const counts = new Map(grades.map((one) => [one.grade, one.count]))
  // A grade of an earlier scale still counts.
  const former = grades.filter((one) => !values.includes(one.grade)).map((one) => ({ value: one.grade, label: '' }))
  const rows = [...options, ...former].toSorted((a, b) => b.value - a.value)
  const most = Math.max(1, ...grades.map((one) => one.count))
  const named = people.filter((one) => one.user && one.answered > 0).slice(0, 5)
  return (
    <div className={classes.cards}>
      <dl className={classes.figures}>
        <div className={classes.figure}>
          <dt>Nota média</dt>
          <dd className={classes.value}>{average === null ? '—' : decimal(average)}</dd>
          <dd className={classes.hint}>
            {average === null ? 'Ainda sem respostas' : `de ${formatNumber(Math.max(...values))}`}
          </dd>
        </div>
        <div className={classes.figure}>
          <dt>Responderam</dt>
          <dd className={classes.value}>{asked ? `${share(answered, asked)}%` : '—'}</dd>
          <dd className={classes.hint}>
            {formatNumber(answered)} de {plural(asked, 'pergunta', 'perguntas')}
          </dd>
        </div>
      </dl>
      <section className={classes.card} aria-label="Distribuição das notas">
        <h2 className={classes.title}>Distribuição das notas</h2>
        <ul className={classes.bars}>
          {rows.map(({ value, label }) => {
            const count = counts.get(value) ?? 0
            const isChosen = chosen.includes(String(value))
            return (
              <li key={value}>
                <UnstyledButton
                  className={classes.bar}
                  aria-pressed={isChosen}
                  title={isChosen ? 'Mostrar todas as notas' : 'Mostrar só esta nota'}
                  onClick={() => onChoose(isChosen ? [] : [String(value)])}
                >
                  <span className={classes.grade}>{value}</span>
                  <span className={`truncate ${classes.name}`}>{label}</span>
                  <span className={classes.track}>
                    <span
                      className={classes.fill}
                      data-tone={toneOf(goodnessOf(value, values))}
                      style={{ width: `${(count / most) * 100}%` }}
                    />
                  </span>
                  <span className={classes.count}>
                    {formatNumber(count)} <span className={classes.share}>{share(count, answered)}%</span>
                  </span>
                </UnstyledButton>
              </li>
            )
          })}
        </ul>
      </section>
      <section className={classes.card} aria-label="Por atendente">
        <h2 className={classes.title}>Por atendente</h2>
        {named.length === 0 ? (
          <p className={classes.none}>As notas de cada pessoa aparecem aqui.</p>
        ) : (
          <ul className={classes.people}>
            {named.map((one) => (
              <li key={one.user?.id} className={classes.person}>
                <span className="truncate">{one.user?.name}</span>
                <span className={classes.hint}>{plural(one.answered, 'nota', 'notas')}</span>
                <span className={classes.mean}>{one.average === null ? '—' : decimal(one.average)}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
