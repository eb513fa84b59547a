import type { RatingSettings } from '@balcao/contract/service/ratings.ts'
import { ActionIcon, Button, Menu, TextInput, Tooltip } from '@mantine/core'
import { IconChevronDown, IconPlus, IconTrash } from '@tabler/icons-react'
import { NumberField } from '../../../ui/number-field.tsx'
import classes from './scale-editor.module.css'

type Options = RatingSettings['options']
type Props = { options: Options; errors: Record<string, string>; onChange: (options: Options) => void }

const most = 11
const option = (value: number, label: string) => ({ value, label, message: '' })
const presets: { label: string; options: Options }[] = [
  {
    label: 'De 1 a 5',
    options: [option(5, 'Ótimo'), option(4, 'Bom'), option(3, 'Regular'), option(2, 'Ruim'), option(1, 'Péssimo')],
  },
  { label: 'Três opções', options: [option(3, 'Gostei'), option(2, 'Mais ou menos'), option(1, 'Não gostei')] },
  { label: 'Sim ou não', options: [option(1, 'Sim'), option(0, 'Não')] },
  {
    label: 'De 0 a 10',
    options: Array.from({ length: 11 }, (_, at) => option(10 - at, `Nota ${10 - at}`)),
  },
]

/** The grades a customer may give, best first: their number, what is read, and what is answered. */
export const ScaleEditor = ({ options, errors, onChange }: Props) => {
  const change = (at: number, patch: Partial<Options[number]>) =>
    onChange(options.map((one, index) => (index === at ? { ...one, ...patch } : one)))
  const handleAdd = () => {
    const used = new Set(options.map((one) => one.value))
    const next = Array.from({ length: 11 }, (_, value) => value).find((value) => !used.has(value)) ?? 0
    onChange([...options, option(next, `Nota ${next}`)].toSorted((a, b) => b.value - a.value))
  }
  return (
    <div className={classes.scale}>
      <div className={classes.head} aria-hidden>
        <span>Nota</span>
        <span>O cliente lê</span>
        <span>Resposta a esta nota (opcional)</span>
      </div>
      <ul className={classes.rows}>
        {options.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; number and name change while typing
          <li key={at} className={classes.row}>
            <NumberField
              aria-label={`Nota da opção ${at + 1}`}
              min={0}
              max={10}
              clampBehavior="strict"
              allowDecimal={false}
              allowNegative={false}
              hideControls
              value={one.value}
              onChange={(value) => change(at, { value })}
              error={errors[`options.${at}.value`]}
            />
            <TextInput
              aria-label={`Texto da nota ${one.value}`}
              maxLength={60}
              value={one.label}
              onChange={(event) => change(at, { label: event.currentTarget.value })}
              error={errors[`options.${at}.label`]}
            />
            <TextInput
              className={classes.message}
              aria-label={`Resposta à nota ${one.value}`}
              placeholder="Usa o agradecimento"
              maxLength={500}
              value={one.message}
              onChange={(event) => change(at, { message: event.currentTarget.value })}
            />
            <Tooltip label={options.length > 2 ? 'Remover' : 'A escala precisa de duas notas'}>
              <ActionIcon
                className={classes.remove}
                aria-label={`Remover a nota ${one.value}`}
                disabled={options.length <= 2}
                onClick={() => onChange(options.filter((_, index) => index !== at))}
              >
                <IconTrash size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          </li>
        ))}
      </ul>
      {errors.options && (
        <p className={classes.problem} role="alert">
          {errors.options}
        </p>
      )}
      <div className={classes.foot}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={options.length >= most}
          onClick={handleAdd}
        >
          Adicionar nota
        </Button>
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="subtle" size="xs" rightSection={<IconChevronDown size={16} aria-hidden />}>
              Usar um modelo
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {presets.map((preset) => (
              <Menu.Item key={preset.label} onClick={() => onChange(preset.options)}>
                {preset.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
    </div>
  )
}
