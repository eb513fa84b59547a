import { Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { flowList } from '../../../../features/automation/flows/api.ts'
import type { FormProps } from './form-props.ts'

export const SubFlowForm = ({ data, onChange, errorOf, flowId }: FormProps<'flow'>) => {
  const flows = useQuery(flowList).data ?? []
  return (
    <>
      <Select
        label="Fluxo"
        searchable
        nothingFoundMessage="Nenhum outro fluxo"
        data={flows.filter(({ id }) => id !== flowId).map(({ id, name }) => ({ value: id, label: name }))}
        value={data.flowId || null}
        error={errorOf('flowId')}
        onChange={(id) => onChange({ flowId: id ?? '' })}
      />
      <Switch
        label="Voltar para cá no fim"
        description="Desligado, a conversa continua só naquele fluxo."
        checked={data.returns}
        onChange={(event) => onChange({ returns: event.currentTarget.checked })}
      />
    </>
  )
}
