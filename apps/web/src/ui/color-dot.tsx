import classes from './color-dot.module.css'

/** A small disc of a chosen colour, with its name beside it when given. */
export const ColorDot = ({ color, label }: { color: string; label?: string }) => (
  <span className={classes.wrap}>
    <span className={classes.dot} style={{ background: color }} aria-hidden />
    {label && <span className="truncate">{label}</span>}
  </span>
)
