import classes from './tag-chip.module.css'

/** A tag or queue by name, tinted by its own colour; text keeps the page's colour so that it is always readable. */
export const TagChip = ({ name, color }: { name: string; color: string }) => (
  <span className={classes.chip} style={{ '--chip': color } as React.CSSProperties /* custom property */} title={name}>
    <span className={classes.dot} aria-hidden />
    <span className="truncate">{name}</span>
  </span>
)
