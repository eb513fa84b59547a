import { type ColorInputProps, ColorInput as MantineColorInput } from '@mantine/core'

/** Colours that stay apart from each other and carry readable text. */
export const swatches = [
  '#0b7a75',
  '#2566bd',
  '#6f51d6',
  '#c13584',
  '#cc342d',
  '#d97706',
  '#b8a100',
  '#217d39',
  '#475569',
  '#7c4a2d',
]

export const ColorInput = (props: ColorInputProps) => (
  <MantineColorInput
    format="hex"
    swatches={swatches}
    swatchesPerRow={10}
    closeOnColorSwatchClick
    eyeDropperButtonProps={{ 'aria-label': 'Escolher uma cor da tela' }}
    {...props}
  />
)
