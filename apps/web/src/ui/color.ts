/** Colour arithmetic for the accent: pure, in sRGB, on `#rrggbb`. */

export type Shades = readonly [string, string, string, string, string, string, string, string, string, string]

/** WCAG 2 contrast ratio between two colours, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Black or white, whichever reads better on the colour. */
export const textOn = (background: string): '#ffffff' | '#000000' =>
  contrast(background, '#ffffff') >= contrast(background, '#000000') ? '#ffffff' : '#000000'

/** Ten steps around a colour: it sits at step 6, paler before, darker after. */
export const shadesOf = (color: string): Shades => [
  mix(color, '#ffffff', 0.94),
  mix(color, '#ffffff', 0.86),
  mix(color, '#ffffff', 0.72),
  mix(color, '#ffffff', 0.54),
  mix(color, '#ffffff', 0.36),
  mix(color, '#ffffff', 0.16),
  color,
  mix(color, '#000000', 0.16),
  mix(color, '#000000', 0.34),
  mix(color, '#000000', 0.56),
]

/** The step nearest to the middle of the scale that is readable as text on the surface (AA, 4.5). */
export const readableShade = (shades: Shades, surface: string): string => {
  const towards = luminance(surface) > 0.4 ? [6, 7, 8, 9] : [4, 3, 2, 1, 0]
  const found = towards.map((step) => shades[step]).find((shade) => shade && contrast(shade, surface) >= 4.5)
  return found ?? textOn(surface)
}

export const isHexColor = (value: unknown): value is string =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** The colour with this share of the other in it. */
export const mix = (color: string, other: string, share: number) => {
  const target = channels(other)
  const mixed = channels(color).map((value, index) => Math.round(value + ((target[index] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const luminance = (color: string) => {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
