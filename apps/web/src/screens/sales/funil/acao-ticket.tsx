import {
  funnelActionLabels,
  type TicketAction,
  ticketActionResource,
  ticketActionTypes,
} from '@balcao/contract/operations/funnel-actions.ts'
import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { useNames } from '../../../features/service/actions/use-names.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { ActionButtons, ActionParts, OneOf } from './acao-parts.tsx'

const types = ticketActionTypes.map((value) => ({ value, label: funnelActionLabels[value] }))

/** What happens to a conversation whose customer, answered, has been silent so long. */
export const TicketActions = () => {
  const { rows, nameOf } = useNames()
  const whenText = ({ hoursWithoutResponse: hours, whatsappId }: TicketAction) =>
    `${hours} h em silêncio${whatsappId ? `, em ${nameOf(whatsappId) ?? 'canal excluído'}` : ''}`
  const doesText = (row: TicketAction) => {
    const more = {
      message: row.message,
      add_tag: nameOf(row.tagId ?? ''),
      add_wallet: nameOf(row.walletId ?? ''),
    }[row.actionType]
    return `${funnelActionLabels[row.actionType]}: ${more || 'o que ela usava foi excluído'}`
  }
  return (
    <ResourceScreen
      resource={ticketActionResource}
      title="Ações do funil"
      purpose="O que acontece sozinho quando o cliente, já respondido, fica em silêncio: uma vez em cada silêncio."
      emptyText="Crie, por exemplo, uma mensagem depois de 24 horas sem resposta do cliente."
      newValues={{ actionType: 'message' }}
      extraFilters={<ActionParts />}
      clearFilters={() => {}}
      rowActions={(row) => <ActionButtons kind="ticket" row={row} />}
      columns={[
        {
          key: 'name',
          label: 'Nome',
          width: 220,
          render: ({ name }) => <strong>{name}</strong>,
          csv: ({ name }) => name,
        },
        {
          key: 'hoursWithoutResponse',
          label: 'Quando',
          width: 200,
          wideOnly: true,
          render: whenText,
          csv: whenText,
        },
        {
          key: 'actionType',
          label: 'O que faz',
          fills: true,
          wideOnly: true,
          render: (row) => <span className="truncate">{doesText(row)}</span>,
          csv: doesText,
        },
        {
          key: 'startedAt',
          label: 'Vale desde',
          width: 160,
          wideOnly: true,
          render: (row) => (row.startedAt ? formatDateTime(row.startedAt) : '—'),
          csv: (row) => row.startedAt,
        },
      ]}
      fields={(form, row, inputOf) => {
        const { values, errors, setFieldValue: set, getInputProps: input } = form
        return (
          <>
            <TextInput {...inputOf('name')} />
            <NumberInput
              label="Horas de silêncio"
              description="Contadas da nossa primeira resposta depois da última mensagem do cliente."
              min={1}
              max={8_760}
              allowDecimal={false}
              {...input('hoursWithoutResponse')}
            />
            <OneOf
              label="Canal"
              placeholder="Qualquer canal"
              rows={rows.connections}
              value={values.whatsappId}
              error={errors.whatsappId}
              onChange={(id) => set('whatsappId', id)}
            />
            <Select label="O que faz" required allowDeselect={false} data={types} {...input('actionType')} />
            {values.actionType === 'message' && (
              <VariableTextarea
                label="Mensagem"
                required
                maxLength={4_000}
                minRows={3}
                value={values.message}
                error={errors.message}
                onChange={(text) => set('message', text)}
              />
            )}
            {values.actionType === 'add_tag' && (
              <OneOf
                label="Etiqueta da conversa"
                required
                rows={rows.tags}
                value={values.tagId}
                error={errors.tagId}
                onChange={(id) => set('tagId', id)}
              />
            )}
            {values.actionType === 'add_wallet' && (
              <OneOf
                label="Carteira de"
                required
                rows={rows.people}
                value={values.walletId}
                error={errors.walletId}
                onChange={(id) => set('walletId', id)}
              />
            )}
            <Textarea label="Descrição" autosize minRows={1} maxRows={6} maxLength={500} {...input('description')} />
            {row?.startedAt && (
              <Switch
                label="Incluir silêncios que começaram antes de ligar"
                checked={values.startedAt !== null && Date.parse(values.startedAt) === 0}
                onChange={(event) => set('startedAt', event.currentTarget.checked ? new Date(0).toISOString() : null)}
              />
            )}
            <Switch
              label="Ligada"
              description="Vale para os silêncios que começam depois de ligar."
              {...input('active', { type: 'checkbox' })}
            />
          </>
        )
      }}
    />
  )
}
