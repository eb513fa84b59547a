import { requestOf } from '@balcao/contract/automation/flows/requests.ts'
import { type RequestKind, requestKinds } from '@balcao/contract/conversations/interactive.ts'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { connectionList } from '../../../../features/channels/connections/api.ts'
import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import { RequestFields } from '../../../../features/conversations/requests/request-fields.tsx'
import type { FormProps } from './form-props.ts'
import { VariableName } from './variable-name.tsx'

/** Meta has forms for addresses in other countries alone. */
const kinds = requestKinds.filter((kind) => kind !== 'address')

export const RequestForm = ({ data, onChange, errorOf }: FormProps<'request'>) => {
  const connections = useQuery(connectionList).data ?? []
  const able = connections.filter(({ abilities }) => abilities.supports.includes('requests'))
  const connectionId = data.connectionId || (able.length === 1 ? able[0]?.id : undefined) || null
  const isOfAccount = data.asks === 'form' || data.asks === 'products'
  return (
    <>
      <RequestFields
        value={{ ...requestOf(data), header: data.header, footer: data.footer, button: data.button, url: data.url }}
        onChange={
          ({ kind, header, footer, button, url = '', form, catalog }) =>
            onChange({ asks: kind as RequestKind, header, footer, button, url, form, catalog }) // one of those offered
        }
        connectionId={connectionId}
        kinds={kinds}
        errorOf={errorOf}
      >
        {isOfAccount && able.length > 1 && (
          <Select
            label="Canal"
            description="De que conta vêm o formulário e os produtos."
            allowDeselect={false}
            data={able.map(({ id, name }) => ({ value: id, label: name }))}
            value={connectionId}
            onChange={(id) => onChange({ connectionId: id ?? '', form: undefined, catalog: undefined })}
          />
        )}
        <VariableTextarea
          label="Mensagem"
          minRows={2}
          maxLength={1_024}
          value={data.body}
          error={errorOf('body')}
          onChange={(body) => onChange({ body })}
        />
      </RequestFields>
      {data.asks !== 'link' && (
        <VariableName
          label="Guardar a resposta em"
          description="Opcional. Depois use como {{var.nome}}."
          value={data.variable}
          error={errorOf('variable')}
          onChange={(variable) => onChange({ variable })}
        />
      )}
    </>
  )
}
