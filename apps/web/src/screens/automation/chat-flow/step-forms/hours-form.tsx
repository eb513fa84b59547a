import { RowSelect } from '../../../../features/service/actions/row-select.tsx'
import type { FormProps } from './form-props.ts'

export const HoursForm = ({ data, onChange }: FormProps<'hours'>) => (
  <RowSelect
    names="queues"
    label="Horário de qual fila"
    description="Vazio: da fila em que a conversa está, ou da empresa."
    placeholder="Da fila da conversa"
    value={data.queueId}
    onChange={(queueId) => onChange({ queueId })}
  />
)
