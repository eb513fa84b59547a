import { Button, Combobox, Menu, Textarea, type TextareaProps, useCombobox } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { begunVariable } from './begun-variable.ts'
import { useVariables } from './use-variables.ts'
import classes from './variable-textarea.module.css'

type Props = Omit<TextareaProps, 'onChange' | 'value'> & { value: string; onChange: (text: string) => void }

/** A text whose placeholders are chosen from a menu and put where the cursor is, or offered as soon as one is begun. */
export const VariableTextarea = ({ value, onChange, ...rest }: Props) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const variables = useVariables()
  const [begun, setBegun] = useState<string | null>(null)
  const wanted = begun?.toLowerCase()
  const offered =
    wanted === undefined ? [] : variables.filter(({ name, label }) => `${name} ${label}`.toLowerCase().includes(wanted))
  const isOffering = offered.length > 0
  const combobox = useCombobox({ opened: isOffering, onDropdownClose: () => setBegun(null) })

  const put = (written: string, from: number, to: number) => {
    onChange(value.slice(0, from) + written + value.slice(to))
    const cursor = from + written.length
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(cursor, cursor)
    })
  }
  const handlePick = (name: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = field.current ?? {}
    put(`{{${name}}}`, selectionStart, selectionEnd)
  }
  const handleComplete = (name: string) => {
    const cursor = field.current?.selectionStart ?? value.length
    const start = value.lastIndexOf('{{', cursor - 1)
    const closed = /^\s*\}\}/.exec(value.slice(cursor))?.[0].length ?? 0
    setBegun(null)
    put(`{{${name}}}`, start, cursor + closed)
  }
  return (
    <div data-expanded={isOffering || undefined}>
      <Combobox store={combobox} onOptionSubmit={handleComplete} position="bottom-start" width={320}>
        <Combobox.Target withKeyboardNavigation={isOffering} withAriaAttributes={isOffering}>
          <Textarea
            ref={field}
            autosize
            minRows={6}
            maxRows={16}
            lang="pt-BR"
            spellCheck
            {...rest}
            value={value}
            onChange={(event) => {
              const { value: text, selectionStart } = event.currentTarget
              onChange(text)
              setBegun(begunVariable(text.slice(0, selectionStart)))
              combobox.selectFirstOption()
            }}
            onBlur={(event) => {
              rest.onBlur?.(event)
              setBegun(null)
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown className={classes.menu}>
          <Combobox.Options>
            {offered.map((one) => (
              <Combobox.Option key={one.name} value={one.name}>
                <code className={classes.name}>{`{{${one.name}}}`}</code>
                <span className={classes.what}>{one.label}</span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <Menu position="bottom-start" width={320} returnFocus={false}>
        <Menu.Target>
          <Button variant="subtle" size="compact-sm" mt={6} leftSection={<IconBraces size={16} aria-hidden />}>
            Inserir variável
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {variables.map((one) => (
            <Menu.Item key={one.name} onClick={() => handlePick(one.name)}>
              <code className={classes.name}>{`{{${one.name}}}`}</code>
              <span className={classes.what}>{one.label}</span>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
