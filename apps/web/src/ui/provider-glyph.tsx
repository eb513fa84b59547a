import type { Glyph } from '@balcao/contract/core/providers/define.ts'
import classes from './provider-glyph.module.css'

/** A provider's mark, drawn from its definition. */
export const ProviderGlyph = ({ glyph, size = 16 }: { glyph: Glyph; size?: number }) => (
  <span
    className={classes.glyph}
    style={{ width: size, height: size, background: glyph.color }}
    role="img"
    aria-label={glyph.label}
    title={glyph.label}
  >
    <svg
      width={Math.round(size * 0.7)}
      height={Math.round(size * 0.7)}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {glyph.paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  </span>
)
