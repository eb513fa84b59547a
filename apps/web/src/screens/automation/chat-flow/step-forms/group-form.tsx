import { Select } from '@mantine/core'
import type { FormProps } from './form-props.ts'

const frameColors = [
  { value: 'gray', label: 'Cinza' },
  { value: 'accent', label: 'Destaque' },
  { value: 'violet', label: 'Violeta' },
  { value: 'amber', label: 'Âmbar' },
  { value: 'blue', label: 'Azul' },
]
export const GroupForm = ({ data, onChange }: FormProps<'group'>) => (
  <Select
    label="Cor"
    data={frameColors}
    allowDeselect={false}
    value={data.color}
    onChange={(color) => color && onChange({ color })}
  />
)
