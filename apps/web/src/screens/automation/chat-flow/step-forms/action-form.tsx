import { flowActions } from '@balcao/contract/automation/flows/graph.ts'
import { type Action, definitionOf } from '@balcao/contract/conversations/actions/index.ts'
import { ActionsField } from '../../../../features/service/actions/actions-field.tsx'
import { useCurrentSession } from '../../../../kit/session.ts'
import type { FormProps } from './form-props.ts'

export const ActionForm = ({ data, onChange, errorOf }: FormProps<'action'>) => {
  const { user } = useCurrentSession()
  const offered = flowActions.filter((kind) => {
    const { can, canChoose = can } = definitionOf(kind)
    return user.permissions.includes(canChoose)
  })
  return (
    <ActionsField
      steps={data.actions as Action[]} // bounded by its schema, checked before it is published
      onChange={(actions) => onChange({ actions })}
      offered={offered}
      errorOf={errorOf}
    />
  )
}
