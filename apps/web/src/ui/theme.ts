import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core'
import { isHexColor, mix, readableShade, type Shades, shadesOf } from './color.ts'
import { FocusableButton } from './focusable-button.tsx'

/**
 * The tokens of the product. Components read them as CSS variables only, so a tenant's accent and dark mode
 * are one change, here.
 */
// biome-ignore format: a scale reads as a line
export const petroleum: Shades = [
  '#effaf9', '#d9f2f0', '#b0e3df', '#82d1cb', '#4fb8b1', '#249a93', '#0b7a75', '#096863', '#07524e', '#053b38',
]
// biome-ignore format: a scale reads as a line
const slate: MantineColorsTuple = [
  '#f6f8f9', '#eef1f3', '#e0e5e9', '#cdd5da', '#a9b4bc', '#7d8b95', '#566570', '#3f4c56', '#2a353d', '#172027',
]
/** Mantine's dark scale: 0 is text, 7 the page. */
// biome-ignore format: a scale reads as a line
const night: MantineColorsTuple = [
  '#e6ebee', '#cad3d8', '#9fadb5', '#788791', '#34414a', '#2a353c', '#1f282e', '#171e23', '#101619', '#0a0e10',
]
// biome-ignore format: a scale reads as a line
const amber: MantineColorsTuple = [
  '#fff8e8', '#ffeec6', '#fddc8c', '#f9c650', '#f0b023', '#d99a0b', '#b87c00', '#966300', '#744b00', '#4f3300',
]
// biome-ignore format: a scale reads as a line
const red: MantineColorsTuple = [
  '#fff1f0', '#ffe0dd', '#ffc2bd', '#fc9a92', '#f4716a', '#e54d46', '#cc342d', '#aa2520', '#871c18', '#5f120f',
]
// biome-ignore format: a scale reads as a line
const green: MantineColorsTuple = [
  '#effaf1', '#d9f2de', '#b3e4bd', '#84d095', '#56b76c', '#35994d', '#217d39', '#19652d', '#134d22', '#0c3617',
]
// biome-ignore format: a scale reads as a line
const violet: MantineColorsTuple = [
  '#f6f3ff', '#ebe4ff', '#d6caff', '#bba8fb', '#9f86f3', '#866aea', '#6f51d6', '#593eb3', '#442f8b', '#2f2063',
]
// biome-ignore format: a scale reads as a line
const blue: MantineColorsTuple = [
  '#eff6ff', '#dbeafe', '#bcd8fb', '#91bef5', '#619eea', '#3b80d9', '#2566bd', '#1c519a', '#153d76', '#0e2a53',
]

/** Three levels of ground: page, panel, raised. */
export const surfaces = {
  light: ['#f6f8f9', '#ffffff', '#eef1f3'],
  dark: ['#101619', '#171e23', '#1f282e'],
} as const

/** The theme with the tenant's accent, or ours when it has none. Text on accent switches black or white by itself. */
export const createBalcaoTheme = (accent?: string | null): MantineThemeOverride =>
  createTheme({
    primaryColor: 'accent',
    primaryShade: 6,
    autoContrast: true,
    luminanceThreshold: 0.179, // where black and white text contrast equally
    white: '#ffffff',
    black: '#172027',
    colors: {
      accent: [...accentShades(accent)],
      gray: slate,
      dark: night,
      yellow: amber,
      amber,
      red,
      green,
      violet,
      blue,
      teal: green,
    },
    fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
    fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
    fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
    lineHeights: { xs: '1.35', sm: '1.4', md: '1.43', lg: '1.45', xl: '1.3' },
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
        h2: { fontSize: '1.125rem', lineHeight: '1.5rem' },
        h3: { fontSize: '1rem', lineHeight: '1.5rem' },
        h4: { fontSize: '0.875rem', lineHeight: '1.25rem' },
      },
    },
    spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
    radius: { xs: '4px', sm: '6px', md: '8px', lg: '14px', xl: '20px' },
    defaultRadius: 'sm',
    shadows: {
      xs: 'none',
      sm: 'var(--balcao-shadow)',
      md: 'var(--balcao-shadow)',
      lg: 'var(--balcao-shadow)',
      xl: 'var(--balcao-shadow)',
    },
    respectReducedMotion: true,
    cursorType: 'pointer',
    // Plain objects, not `Select.extend`: naming a component here would load it on every page.
    components: {
      ActionIcon: { defaultProps: { component: FocusableButton, variant: 'subtle', color: 'gray', size: 36 } },
      Button: { defaultProps: { component: FocusableButton, size: 'sm' }, styles: { label: { fontWeight: 500 } } },
      Tooltip: { defaultProps: { openDelay: 400, withArrow: false, color: 'dark.8', fz: 'sm' } },
      Drawer: { defaultProps: { position: 'right', transitionProps: { duration: 160 } } },
      Modal: { defaultProps: { centered: true, radius: 'md', transitionProps: { duration: 140 } } },
      Menu: { defaultProps: { shadow: 'md', radius: 'md', transitionProps: { duration: 120 } } },
      Popover: { defaultProps: { shadow: 'md', radius: 'md', transitionProps: { duration: 120 } } },
      InputWrapper: {
        styles: { label: { marginBottom: 4 }, description: { fontSize: 13, lineHeight: 1.4 }, error: { fontSize: 13 } },
      },
      Select: { defaultProps: { nothingFoundMessage: 'Nada encontrado' } },
    },
  })

export const cssVariables: CSSVariablesResolver = (theme) => {
  const accent = theme.colors.accent as unknown as Shades // ten steps by createBalcaoTheme; Mantine's type only says "at least ten"
  return {
    variables: {
      '--balcao-rail': '88px',
      '--balcao-menu': '224px',
      '--balcao-focus': '0 0 0 2px var(--balcao-surface-1), 0 0 0 4px var(--balcao-accent-text)',
      '--balcao-amber': 'var(--mantine-color-amber-5)',
      '--balcao-ease': '150ms ease-out',
    },
    light: {
      ...surfaceVariables(surfaces.light),
      '--mantine-color-body': surfaces.light[1],
      '--balcao-border': slate[2],
      '--balcao-border-strong': slate[3],
      '--balcao-hover': slate[1],
      '--balcao-selected': accent[0],
      '--balcao-accent-text': readableShade(accent, surfaces.light[2]),
      '--balcao-accent-soft': accent[1],
      '--balcao-note': blue[0],
      '--balcao-note-border': blue[2],
      '--balcao-waiting': amber[7],
      '--balcao-failed': red[6],
      '--balcao-resolved': green[6],
      '--balcao-bot': violet[6],
      '--balcao-internal': blue[6],
      '--balcao-shadow': '0 8px 28px rgb(23 32 39 / 14%), 0 1px 3px rgb(23 32 39 / 8%)',
      '--mantine-color-dimmed': slate[6],
      '--mantine-color-placeholder': '#6b7983',
      '--mantine-color-error': red[6],
      '--mantine-color-success': green[6],
      '--mantine-color-anchor': readableShade(accent, surfaces.light[2]),
      '--mantine-color-accent-text': readableShade(accent, surfaces.light[2]),
      '--mantine-color-accent-light-color': readableShade(accent, accent[1]),
      '--mantine-color-default-border': slate[3],
      '--mantine-color-default-hover': slate[0],
      '--mantine-color-gray-text': slate[6],
    },
    dark: {
      ...surfaceVariables(surfaces.dark),
      '--mantine-color-body': surfaces.dark[1],
      '--balcao-border': '#2a353c',
      '--balcao-border-strong': '#3b4953',
      '--balcao-hover': '#222c32',
      '--balcao-selected': `color-mix(in srgb, ${accent[6]} 22%, ${surfaces.dark[1]})`,
      '--balcao-accent-text': readableShade(accent, surfaces.dark[2]),
      '--balcao-accent-soft': softDark(accent),
      '--balcao-note': 'color-mix(in srgb, #2566bd 22%, #171e23)',
      '--balcao-note-border': '#2b4a73',
      '--balcao-waiting': amber[4],
      '--balcao-failed': red[4],
      '--balcao-resolved': green[4],
      '--balcao-bot': violet[4],
      '--balcao-internal': blue[4],
      '--balcao-shadow': '0 10px 32px rgb(0 0 0 / 55%), 0 0 0 1px #2a353c',
      '--mantine-color-dimmed': night[2],
      '--mantine-color-placeholder': '#8493a0',
      '--mantine-color-error': red[4],
      '--mantine-color-success': green[4],
      '--mantine-color-anchor': readableShade(accent, surfaces.dark[2]),
      '--mantine-color-accent-text': readableShade(accent, surfaces.dark[2]),
      '--mantine-color-default': surfaces.dark[2],
      '--mantine-color-default-hover': '#28333a',
      '--mantine-color-default-border': '#3b4953',
      '--mantine-color-gray-text': night[2],
      // Mantine's own are darker than the panel they stand on, as if cut out of it.
      '--mantine-color-accent-light': softDark(accent),
      '--mantine-color-accent-light-hover': softDark(accent, 0.44),
      '--mantine-color-accent-light-color': readableShade(accent, softDark(accent, 0.44)),
      '--mantine-color-blue-light': softDark(blue),
      '--mantine-color-blue-light-hover': softDark(blue, 0.44),
      '--mantine-color-red-light-color': red[3],
      '--mantine-color-amber-light-color': amber[3],
      '--mantine-color-green-light-color': green[3],
      '--mantine-color-gray-light': '#28333a',
      '--mantine-color-gray-light-hover': '#303d45',
    },
  }
}

/** The accent named by a list of the server's colour maps, if any (`{ label: 'primary', value }`). */
export const accentOf = (colors: readonly { label: string; value: string }[] | undefined): string | null => {
  const named = colors?.find((color) => ['accent', 'primary', 'destaque'].includes(color.label.toLowerCase()))
  return isHexColor(named?.value) ? named.value.toLowerCase() : null
}

const accentShades = (accent?: string | null) =>
  isHexColor(accent) && accent.toLowerCase() !== petroleum[6] ? shadesOf(accent.toLowerCase()) : petroleum

const softDark = (shades: readonly string[], share = 0.34) => mix(shades[6] ?? '', surfaces.dark[1], 1 - share)

const surfaceVariables = ([page, panel, raised]: readonly [string, string, string]) => ({
  '--balcao-surface-0': page,
  '--balcao-surface-1': panel,
  '--balcao-surface-2': raised,
})
