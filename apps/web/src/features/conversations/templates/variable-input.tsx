import { variables } from '@balcao/contract/variables.ts'
import { ActionIcon, Menu, TextInput } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'

type Props = {
  label: string
  description?: string
  value: string
  maxLength: number
  error?: string
  onChange: (text: string) => void
}

/** One line that may hold placeholders of ours, chosen from a menu. */
export const VariableInput = ({ label, onChange, value, ...rest }: Props) => (
  <TextInput
    label={label}
    {...rest}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    rightSection={
      <Menu position="bottom-end" width={280} withinPortal>
        <Menu.Target>
          <ActionIcon size={30} aria-label={`Inserir dado do contato em ${label}`}>
            <IconBraces size={17} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah={260} style={{ overflowY: 'auto' }}>
          {variables.map((one) => (
            <Menu.Item key={one.name} onClick={() => onChange(`${value}{{${one.name}}}`)}>
              {one.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    }
  />
)
