import { TextInput } from '@mantine/core'
import { newId } from '../../../../features/automation/flows/edits.ts'
import { NumberField } from '../../../../ui/number-field.tsx'
import { FieldSet } from './field-set.tsx'
import type { FormProps } from './form-props.ts'

export const SplitForm = ({ data, onChange }: FormProps<'split'>) => {
  const total = data.branches.reduce((sum, { weight }) => sum + weight, 0)
  return (
    <FieldSet
      legend="Caminhos"
      what="o caminho"
      addLabel="Adicionar caminho"
      most={10}
      rows={data.branches}
      blank={() => ({ id: newId('c'), label: '', weight: 50 })}
      onChange={(branches) => onChange({ branches })}
    >
      {(branch, change, at) => (
        <>
          <TextInput
            aria-label={`Nome do caminho ${at + 1}`}
            placeholder={String.fromCharCode(65 + at)}
            maxLength={60}
            value={branch.label}
            onChange={(event) => change({ label: event.currentTarget.value })}
          />
          <NumberField
            aria-label={`Peso do caminho ${at + 1}`}
            description={total ? `${Math.round((branch.weight / total) * 100)}% das conversas` : undefined}
            min={0}
            max={1_000}
            allowDecimal={false}
            clampBehavior="strict"
            value={branch.weight}
            onChange={(weight) => change({ weight })}
          />
        </>
      )}
    </FieldSet>
  )
}
