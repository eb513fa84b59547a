import { Button, Menu, Textarea, type TextareaProps } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useRef } from 'react'
import { useVariables } from './use-variables.ts'
import classes from './variable-textarea.module.css'

type Props = Omit<TextareaProps, 'onChange' | 'value'> & { value: string; onChange: (text: string) => void }

/** A text whose placeholders are chosen from a menu and put where the cursor is. */
export const VariableTextarea = ({ value, onChange, ...rest }: Props) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const variables = useVariables()
  const handlePick = (name: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = field.current ?? {}
    const written = `{{${name}}}`
    onChange(value.slice(0, selectionStart) + written + value.slice(selectionEnd))
    const cursor = selectionStart + written.length
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(cursor, cursor)
    })
  }
  return (
    <div>
      <Textarea
        ref={field}
        autosize
        minRows={6}
        maxRows={16}
        lang="pt-BR"
        spellCheck
        {...rest}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
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
