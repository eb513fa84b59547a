import { longestChoice, mostChoices } from '@balcao/contract/conversations/interactive.ts'
import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import { optionId } from '@balcao/contract/conversations/parts.ts'
import { ActionIcon, Button, Collapse, Group, Input, SegmentedControl, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import classes from './choices-field.module.css'

type Props = {
  /** Options may be empty while they are written. */
  value: Interactive
  onChange: (value: Interactive) => void
  error?: ReactNode
  /** What is wrong with one option, by its place. */
  optionError?: (at: number) => ReactNode
  /** The words above the choices. */
  children: ReactNode
}

/** Buttons or a list: what is said, what can be chosen, and what stands around it. */
export const ChoicesField = ({ value, onChange, error, optionError, children }: Props) => {
  const { kind, header, footer, button, options } = value
  const [showsMore, setShowsMore] = useState(header !== '' || footer !== '' || button !== '')
  const list = useRef<HTMLDivElement>(null)
  const setOptions = (next: Interactive['options']) =>
    onChange({ ...value, options: next.map((one, at) => ({ ...one, id: optionId(at) })) })
  const change = (at: number, next: Partial<Interactive['options'][number]>) =>
    setOptions(options.map((one, index) => (index === at ? { ...one, ...next } : one)))
  const focus = (at: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-option]')[at]?.focus())
  const handleAdd = () => {
    setOptions([...options, { id: '', title: '', description: '' }])
    focus(options.length)
  }
  const handleRemove = (at: number) => {
    setOptions(options.toSpliced(at, 1))
    focus(Math.max(0, at - 1))
  }
  return (
    <div className={classes.fields}>
      <SegmentedControl
        aria-label="Como mostrar as opções"
        value={kind}
        onChange={(chosen) => onChange({ ...value, kind: chosen === 'list' ? 'list' : 'buttons' })}
        data={[
          { value: 'buttons', label: 'Botões' },
          { value: 'list', label: 'Lista' },
        ]}
      />
      {children}
      <Input.Wrapper label="Opções" labelElement="div" error={error}>
        <div ref={list} className={classes.options}>
          {options.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option has no name but its place
            <div key={at} className={classes.option}>
              <div className={classes.words}>
                <TextInput
                  data-option
                  aria-label={`Opção ${at + 1}`}
                  placeholder={at === 0 ? 'Sim' : at === 1 ? 'Não' : `Opção ${at + 1}`}
                  maxLength={longestChoice}
                  value={one.title}
                  error={optionError?.(at)}
                  onChange={(event) => change(at, { title: event.currentTarget.value })}
                />
                {kind === 'list' && (
                  <TextInput
                    aria-label={`Descrição da opção ${at + 1}`}
                    placeholder="Descrição (opcional)"
                    size="xs"
                    maxLength={72}
                    value={one.description}
                    onChange={(event) => change(at, { description: event.currentTarget.value })}
                  />
                )}
              </div>
              <ActionIcon
                aria-label={`Remover a opção ${at + 1}`}
                disabled={options.length === 1}
                onClick={() => handleRemove(at)}
              >
                <IconTrash size={17} stroke={1.75} />
              </ActionIcon>
            </div>
          ))}
        </div>
      </Input.Wrapper>
      <Group gap="xs">
        {options.length < mostChoices && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={handleAdd}
          >
            Adicionar opção
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-expanded={showsMore}
          onClick={() => setShowsMore(!showsMore)}
        >
          {showsMore ? 'Menos detalhes' : 'Título e rodapé'}
        </Button>
      </Group>
      <Collapse expanded={showsMore}>
        <div className={classes.fields}>
          {(['header', 'footer'] as const).map((name) => (
            <TextInput
              key={name}
              label={name === 'header' ? 'Título' : 'Rodapé'}
              description="Opcional."
              maxLength={60}
              value={value[name]}
              onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
            />
          ))}
          {kind === 'list' && (
            <TextInput
              label="Texto que abre a lista"
              placeholder="Ver opções"
              maxLength={20}
              value={button}
              onChange={(event) => onChange({ ...value, button: event.currentTarget.value })}
            />
          )}
        </div>
      </Collapse>
    </div>
  )
}
