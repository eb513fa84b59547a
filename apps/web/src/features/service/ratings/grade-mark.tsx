import classes from './grade-mark.module.css'

/** How good a grade is, from 0 (worst) to 1 (best) of its scale. */
export const goodnessOf = (grade: number, values: readonly number[]): number => {
  const [worst, best] = [Math.min(...values), Math.max(...values)]
  return best === worst ? 1 : Math.min(1, Math.max(0, (grade - worst) / (best - worst)))
}
export const toneOf = (goodness: number) => (goodness >= 0.7 ? 'good' : goodness >= 0.4 ? 'fair' : 'bad')

type Props = { grade: number; label?: string; values: readonly number[] }

/** A grade and its name; the colour says again what the number says. */
export const GradeMark = ({ grade, label, values }: Props) => (
  <span className={classes.mark} data-tone={toneOf(goodnessOf(grade, values))}>
    <span className={classes.grade}>{grade}</span>
    {label && <span className="truncate">{label}</span>}
  </span>
)
