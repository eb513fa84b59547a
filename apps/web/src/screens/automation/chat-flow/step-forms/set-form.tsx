import { SegmentedControl } from '@mantine/core'
import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import { FieldSet } from './field-set.tsx'
import type { FormProps } from './form-props.ts'
import { VariableName } from './variable-name.tsx'

export const SetForm = ({ data, onChange, errorOf }: FormProps<'set'>) => (
  <FieldSet
    legend="Variáveis"
    what="a variável"
    addLabel="Adicionar variável"
    most={20}
    rows={data.sets}
    blank={() => ({ name: '', as: 'text' as const, value: '' })}
    onChange={(sets) => onChange({ sets })}
  >
    {(one, change, at) => (
      <>
        <VariableName
          aria-label={`Nome da variável ${at + 1}`}
          value={one.name}
          error={errorOf(`sets.${at}.name`)}
          onChange={(name) => change({ name })}
        />
        <SegmentedControl
          size="xs"
          aria-label={`Tipo da variável ${at + 1}`}
          data={[
            { value: 'text', label: 'Texto' },
            { value: 'number', label: 'Conta' },
          ]}
          value={one.as}
          onChange={(as) => change({ as: as as typeof one.as })} // one of those offered
        />
        <VariableTextarea
          aria-label={`Valor da variável ${at + 1}`}
          placeholder={one.as === 'number' ? '{{var.preco}} * {{var.quantidade}}' : 'Valor'}
          minRows={1}
          maxLength={1_000}
          value={one.value}
          error={errorOf(`sets.${at}.value`)}
          onChange={(value) => change({ value })}
        />
      </>
    )}
  </FieldSet>
)
