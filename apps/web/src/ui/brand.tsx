import classes from './brand.module.css'

/** Our mark: a counter seen as a speech bubble. */
export const BrandMark = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" className={classes.mark} aria-hidden="true">
    <path d="M8 4h16a6 6 0 0 1 6 6v8a6 6 0 0 1-6 6h-7.2l-6.1 4.7a1 1 0 0 1-1.6-.8V24H8a6 6 0 0 1-6-6v-8a6 6 0 0 1 6-6Z" />
    <path className={classes.line} d="M9 11.5h14M9 16.5h9" />
  </svg>
)

export const Brand = ({ logoUrl, name = 'Balcão' }: { logoUrl?: string | null; name?: string }) => (
  <span className={classes.brand}>
    {logoUrl ? <img src={logoUrl} alt="" className={classes.logo} /> : <BrandMark />}
    <span className={classes.name}>{name}</span>
  </span>
)
