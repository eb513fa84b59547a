import { type Action, definitionOf } from '@balcao/contract/conversations/actions/index.ts'
import { fieldsOf } from '@balcao/contract/core/providers/fields.ts'
import type { ReactNode } from 'react'
import { DrawnField } from './drawn-field.tsx'

type Props = {
  action: Action
  onChange: (action: Action) => void
  /** What the form says of a field. */
  errorOf: (field: string) => ReactNode
}

/** The choices of one action, drawn from its definition. */
export const ActionFields = ({ action, onChange, errorOf }: Props) => {
  const { params } = definitionOf(action.kind)
  const values: Record<string, unknown> = action
  return fieldsOf(params).map((field) => {
    const isOptional = params.shape[field.name]?.safeParse(null).success === true
    return (
      <DrawnField
        key={field.name}
        field={{ ...field, required: !isOptional }}
        value={values[field.name]}
        // As its own field gives it; what may stay empty is not an empty text.
        onChange={(value) => onChange({ ...action, [field.name]: value === '' && isOptional ? null : value } as Action)}
        error={errorOf(field.name)}
      />
    )
  })
}
