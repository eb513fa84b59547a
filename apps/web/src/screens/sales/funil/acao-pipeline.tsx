import {
  funnelActionLabels,
  type PipelineAction,
  pipelineActionResource,
  pipelineActionTypes,
} from '@balcao/contract/operations/funnel-actions.ts'
import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { TemplateField } from '../../../features/conversations/templates/template-field.tsx'
import { outcomeReasonList, usePipelines } from '../../../features/sales/funnel/api.ts'
import { useNames } from '../../../features/service/actions/use-names.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { ActionButtons, ActionParts, OneOf } from './acao-parts.tsx'

const types = pipelineActionTypes.map((value) => ({ value, label: funnelActionLabels[value] }))
const outcomes = [
  { value: 'lose', label: 'Perdida' },
  { value: 'win', label: 'Ganha' },
]

/** What happens to an opportunity that has stood so many days in a stage. */
export const PipelineActions = () => {
  const { pipelines, stages } = usePipelines()
  const { rows, nameOf } = useNames()
  const reasons = useQuery(outcomeReasonList).data ?? []
  const channels = useQuery(connectionList).data ?? []
  const needsTemplate = (id: string) => channels.find((one) => one.id === id)?.abilities.windowHours != null
  const [pipelineId, setPipeline] = useUrlState('funil')
  const own = pipelineId || pipelines[0]?.id || ''
  const stageOf = (id: string) => stages.find((one) => one.id === id)
  const stageName = (id: string | null) => (id ? (stageOf(id)?.name ?? 'etapa excluída') : '—')
  const whenText = ({ stageId, daysToTrigger }: PipelineAction) =>
    `${stageName(stageId)}: ${daysToTrigger === 0 ? 'ao entrar' : `há ${daysToTrigger} ${daysToTrigger === 1 ? 'dia' : 'dias'}`}`
  const doesText = (row: PipelineAction) => {
    const what = funnelActionLabels[row.actionType]
    const more = {
      message: row.message,
      stage_change: stageName(row.targetStageId),
      status_change: row.targetStatus === 'win' ? 'ganha' : 'perdida',
      add_tag: nameOf(row.tagId ?? ''),
      add_wallet: nameOf(row.walletId ?? ''),
      flow: nameOf(row.chatFlowId ?? ''),
    }[row.actionType]
    return more ? `${what}: ${more}` : `${what}: o que ela usava foi excluído`
  }
  return (
    <ResourceScreen
      resource={pipelineActionResource}
      title="Ações do funil"
      purpose="O que acontece sozinho com uma oportunidade parada em uma etapa: uma vez em cada passagem por ela."
      emptyText="Crie, por exemplo, um lembrete ao cliente depois de 3 dias em Proposta."
      newValues={{
        pipelineId: own,
        stageId: stages.find((one) => one.pipelineId === own)?.id ?? '',
        actionType: 'message',
        whatsappId: rows.connections[0]?.id ?? null,
      }}
      query={{ pipelineId: pipelineId || undefined }}
      clearFilters={() => setPipeline('')}
      extraFilters={
        <>
          <ActionParts />
          {pipelines.length > 1 && (
            <Select
              aria-label="Funil"
              data={[
                { value: '', label: 'Todos os funis' },
                ...pipelines.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              allowDeselect={false}
              value={pipelineId}
              onChange={(id) => setPipeline(id ?? '')}
            />
          )}
        </>
      }
      rowActions={(row) => <ActionButtons kind="pipeline" row={row} />}
      columns={[
        {
          key: 'name',
          label: 'Nome',
          width: 220,
          render: ({ name }) => <strong>{name}</strong>,
          csv: ({ name }) => name,
        },
        {
          key: 'stageId',
          label: 'Quando',
          width: 200,
          wideOnly: true,
          render: (row) => <ColorDot color={stageOf(row.stageId)?.color ?? '#868e96'} label={whenText(row)} />,
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
      ]}
      fields={(form, _row, inputOf) => {
        const { values, errors, setFieldValue: set, getInputProps: input } = form
        const ofPipeline = stages.filter((one) => one.pipelineId === values.pipelineId)
        return (
          <>
            <TextInput {...inputOf('name')} />
            {pipelines.length > 1 && (
              <OneOf
                label="Funil"
                required
                rows={pipelines}
                {...input('pipelineId')}
                onChange={(id) => {
                  set('pipelineId', id ?? '')
                  set('stageId', stages.find((one) => one.pipelineId === id)?.id ?? '')
                }}
              />
            )}
            <OneOf
              label="Etapa"
              required
              rows={ofPipeline}
              {...input('stageId')}
              onChange={(id) => set('stageId', id ?? '')}
            />
            <NumberInput
              label="Dias na etapa"
              description="Quantos dias a oportunidade precisa estar nela. Com 0, age assim que entra."
              min={0}
              max={365}
              allowDecimal={false}
              {...input('daysToTrigger')}
            />
            <Select label="O que faz" required allowDeselect={false} data={types} {...input('actionType')} />
            {(values.actionType === 'message' || values.actionType === 'flow') && (
              <OneOf
                label="Por qual canal"
                required
                rows={rows.connections}
                value={values.whatsappId}
                error={errors.whatsappId}
                onChange={(id) => {
                  set('whatsappId', id)
                  set('template', null)
                }}
              />
            )}
            {values.actionType === 'message' && (
              <VariableTextarea
                label="Mensagem"
                description="Espera a vez dela no ritmo e nos horários do canal. Quem não quer campanhas não a recebe."
                required
                maxLength={4_000}
                minRows={3}
                value={values.message}
                error={errors.message}
                onChange={(text) => set('message', text)}
              />
            )}
            {values.actionType === 'message' && values.whatsappId && needsTemplate(values.whatsappId) && (
              <TemplateField
                key={values.whatsappId}
                connectionId={values.whatsappId}
                without="Sem modelo, não recebem a mensagem."
                value={values.template}
                onChange={(template) => set('template', template)}
              />
            )}
            {values.actionType === 'stage_change' && (
              <OneOf
                label="Etapa de destino"
                required
                rows={stages
                  .filter(({ id }) => id !== values.stageId)
                  .map(({ id, name, pipelineId: of }) => ({
                    id,
                    name:
                      of === values.pipelineId
                        ? name
                        : `${pipelines.find((one) => one.id === of)?.name ?? ''}: ${name}`,
                  }))}
                value={values.targetStageId}
                error={errors.targetStageId}
                onChange={(id) => set('targetStageId', id)}
              />
            )}
            {values.actionType === 'status_change' && (
              <>
                <Select
                  label="Fica como"
                  required
                  allowDeselect={false}
                  data={outcomes}
                  {...input('targetStatus')}
                  onChange={(status) => {
                    set('targetStatus', status === 'win' ? 'win' : 'lose')
                    set('reasonId', null)
                  }}
                />
                <OneOf
                  label="Motivo"
                  rows={reasons.filter(({ outcome, isActive }) => outcome === values.targetStatus && isActive)}
                  value={values.reasonId}
                  error={errors.reasonId}
                  onChange={(id) => set('reasonId', id)}
                />
              </>
            )}
            {values.actionType === 'add_tag' && (
              <OneOf
                label="Etiqueta do contato"
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
            {values.actionType === 'flow' && (
              <OneOf
                label="Fluxo"
                description="Começa na conversa do contato, se ninguém da equipe o atende."
                required
                rows={rows.flows}
                value={values.chatFlowId}
                error={errors.chatFlowId}
                onChange={(id) => set('chatFlowId', id)}
              />
            )}
            <NumberInput
              label="Ordem"
              description="Das que vencem juntas, a menor vem antes."
              min={0}
              max={10_000}
              {...input('position')}
            />
            <Textarea label="Descrição" autosize minRows={1} maxRows={6} maxLength={500} {...input('description')} />
            <Switch
              label="Ligada"
              description="Antes de ligar, salve e veja na lista o que aconteceria agora."
              {...input('active', { type: 'checkbox' })}
            />
          </>
        )
      }}
    />
  )
}
