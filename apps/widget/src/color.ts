export const DEFAULT_COLOR = '#0b7a75'

type Rgb = [number, number, number]

/** `#rgb` or `#rrggbb`, lower case; anything else becomes the house colour. */
export const toHexColor = (text: unknown): string => {
  if (typeof text !== 'string') return DEFAULT_COLOR
  const hex = text.trim().toLowerCase()
  if (/^#[\da-f]{6}$/.test(hex)) return hex
  if (/^#[\da-f]{3}$/.test(hex)) return hex.replace(/[\da-f]/g, '$&$&')
  return DEFAULT_COLOR
}

/** Black or white, whichever reads better on this ground. */
export const textOn = (ground: string): '#ffffff' | '#000000' =>
  contrast(ground, '#ffffff') >= contrast(ground, '#000000') ? '#ffffff' : '#000000'

/** The same colour, lightened or darkened only as far as it takes to read as text (4.5:1) on the ground. */
export const readableOn = (ground: string, color: string): string => {
  const pole = textOn(ground)
  for (let share = 0; share < 1; share += 0.1) {
    const candidate = mix(color, pole, share)
    if (contrast(ground, candidate) >= 4.5) return candidate
  }
  return pole
}

export const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const mix = (from: string, to: string, share: number): string => {
  const target = channels(to)
  return `#${channels(from)
    .map((value, index) => Math.round(value + ((target[index] ?? 0) - value) * share))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`
}

const channels = (hex: string): Rgb => {
  const number = Number.parseInt(hex.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

// https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
const luminance = (hex: string): number => {
  const [red, green, blue] = channels(hex).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
