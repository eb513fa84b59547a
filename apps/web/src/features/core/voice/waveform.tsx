import classes from './voice-bar.module.css'

/** How loud a recording is, from its beginning to its end, in so many bars. `played` from 0 to 1. */
export const Waveform = ({
  levels,
  bars,
  played = 0,
}: {
  levels: readonly number[]
  bars: number
  played?: number
}) => (
  <span className={classes.wave} aria-hidden>
    {barsOf(levels, bars).map((level, index) => (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        key={index}
        className={classes.bar}
        data-played={index < played * bars}
        style={{ height: `${Math.round(12 + level * 88)}%` }}
      />
    ))}
  </span>
)

const barsOf = (levels: readonly number[], bars: number): number[] =>
  Array.from({ length: bars }, (_, index) => {
    const from = Math.floor((index * levels.length) / bars)
    const to = Math.max(from + 1, Math.floor(((index + 1) * levels.length) / bars))
    return Math.max(0, ...levels.slice(from, to))
  })
