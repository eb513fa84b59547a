import { defaultSystemColors, type TenantSettings } from '@balcao/contract/people/settings.ts'
import { Button } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { contrast, isHexColor, readableShade, shadesOf, textOn } from '../../../ui/color.ts'
import { ColorInput } from '../../../ui/color-input.tsx'
import { accentOf, surfaces } from '../../../ui/theme.ts'
import { writeColors } from './api.ts'
import { SettingRow } from './setting-row.tsx'
import classes from './settings.module.css'
import type { Save } from './use-auto-save.ts'
import { useDraft } from './use-draft.ts'

type Colors = TenantSettings['systemColors']
type Props = { colors: Colors; problem?: string; save: Save }

const ours = defaultSystemColors[0]?.value ?? ''

/** The company's colour, seen on both grounds while it is chosen. */
export const AccentSetting = ({ colors, problem, save }: Props) => {
  const change = (systemColors: Colors, done: string) =>
    save({ at: 'systemColors', done, patch: { systemColors }, write: writeColors })
  const [color, setColor] = useDraft(accentOf(colors) ?? ours, {
    isReady: isHexColor,
    onSave: (value) =>
      value.toLowerCase() === ours
        ? change(withoutAccent(colors), 'Cor padrão restaurada.')
        : change([{ label: 'primary', value }, ...withoutAccent(colors)], 'Cor do sistema salva.'),
    delayMs: 600,
  })
  const shown = isHexColor(color) ? color.toLowerCase() : ours
  return (
    <SettingRow
      id="setting-accent"
      label="Cor do sistema"
      help="Usada em botões, links e no que está selecionado, para toda a equipe. O texto sobre ela escolhe preto ou branco sozinho."
      problem={problem}
      below
    >
      <div className={classes.accent}>
        <div className={classes.choose}>
          <ColorInput
            id="setting-accent"
            w="100%"
            value={color}
            onChange={setColor}
            error={isHexColor(color) ? undefined : 'Escolha uma cor no formato #RRGGBB.'}
          />
          {shown !== ours && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              leftSection={<IconRestore size={16} aria-hidden />}
              onClick={() => setColor(ours)}
            >
              Voltar à cor padrão
            </Button>
          )}
        </div>
        <div className={classes.previews}>
          <Preview name="Modo claro" color={shown} ground={surfaces.light} ink="#172027" />
          <Preview name="Modo escuro" color={shown} ground={surfaces.dark} ink="#e6ebee" />
        </div>
      </div>
    </SettingRow>
  )
}

type PreviewProps = { name: string; color: string; ground: readonly [string, string, string]; ink: string }

/** A button, a link and a bubble in the colour, with the contrast people will read them at. */
const Preview = ({ name, color, ground, ink }: PreviewProps) => {
  const shades = shadesOf(color)
  const onAccent = textOn(color)
  const accentText = readableShade(shades, ground[2])
  const isDark = ground === surfaces.dark
  const colors = {
    '--ground': ground[1],
    '--ink': ink,
    '--accent': color,
    '--on-accent': onAccent,
    '--accent-text': accentText,
    '--soft': isDark ? `color-mix(in srgb, ${color} 34%, ${ground[1]})` : shades[1],
  } as CSSProperties // custom properties are not in React's type
  const least = Math.min(contrast(color, onAccent), contrast(accentText, ground[2]))
  return (
    <div>
      <div className={classes.preview} style={colors} aria-hidden>
        <span className={classes.caption}>{name}</span>
        <span className={classes.button}>Aceitar</span>
        <span className={classes.link}>Ver a conversa</span>
        <span className={classes.bubble}>Bom dia! Como posso ajudar?</span>
      </div>
      <p className={classes.ratio}>
        {name}: contraste {least.toLocaleString('pt-BR', { maximumFractionDigits: 1 })}:1,{' '}
        {least >= 4.5 ? 'fácil de ler' : 'difícil de ler'}
      </p>
    </div>
  )
}

const withoutAccent = (colors: Colors) => colors.filter((one) => accentOf([one]) === null)
