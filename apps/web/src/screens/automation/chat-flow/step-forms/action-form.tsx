import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import { useOfferedActions } from '../../../../features/automation/flows/use-offered-actions.ts'
import { ActionsField } from '../../../../features/service/actions/actions-field.tsx'
import type { FormProps } from './form-props.ts'

export const ActionForm = ({ data, onChange, errorOf }: FormProps<'action'>) => {
  const offered = useOfferedActions()
  return (
    <ActionsField
      steps={data.actions as Action[]} // bounded by its schema, checked before it is published
      onChange={(actions) => onChange({ actions })}
      offered={offered}
      errorOf={errorOf}
    />
  )
}
