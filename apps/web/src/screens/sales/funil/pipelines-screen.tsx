import {
  outcomeReasonResource,
  pipelineResource,
  type Stage,
  stageRequirements,
  stageResource,
} from '@balcao/contract/sales/pipelines.ts'
import { MultiSelect, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { usePipelines } from '../../../features/sales/funnel/api.ts'
import { FunnelRemoval } from '../../../features/sales/funnel/funnel-removal.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { activeColumn, changedColumn } from '../../../kit/row-columns.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { ColorInput, swatches } from '../../../ui/color-input.tsx'
import { PartSwitch } from './part-switch.tsx'

/** What the funnel is made of: pipelines, the stages of each, and why one wins and loses. */
export default function PipelinesScreen() {
  const [part] = useUrlState('parte', 'funis')
  if (part === 'etapas') return <Stages />
  return part === 'motivos' ? <Reasons /> : <Pipelines />
}

const parts = [
  { value: 'funis', label: 'Funis' },
  { value: 'etapas', label: 'Etapas' },
  { value: 'motivos', label: 'Motivos' },
]
const MadeOf = () => <PartSwitch label="O que montar" parts={parts} />

const Pipelines = () => (
  <ResourceScreen
    resource={pipelineResource}
    title="Montar o funil"
    purpose="Por onde passa uma venda. Um funil novo já vem com quatro etapas, que você muda depois."
    emptyText="Crie um funil como “Vendas” ou “Renovações”."
    newValues={{ isActive: true }}
    progress={<BulkProgress kind="replacePipeline" />}
    removal={(asked) => <FunnelRemoval of="pipeline" {...asked} />}
    extraFilters={<MadeOf />}
    columns={[
      { key: 'name', label: 'Nome', render: ({ name }) => <strong>{name}</strong>, csv: ({ name }) => name },
      { key: 'position', label: 'Ordem', wideOnly: true, width: 100 },
      activeColumn('Ativo', 'Inativo'),
      changedColumn('Alterado'),
    ]}
    fields={(form, _row, inputOf) => (
      <>
        <TextInput {...inputOf('name')} />
        <NumberInput
          label="Ordem"
          description="Os funis ficam da menor para a maior."
          min={0}
          max={10_000}
          {...form.getInputProps('position')}
        />
        <Switch
          label="Ativo"
          description="Um funil inativo some do quadro e dos números."
          {...form.getInputProps('isActive', { type: 'checkbox' })}
        />
      </>
    )}
  />
)

const requirementOptions = Object.entries(stageRequirements).map(([value, label]) => ({ value, label }))

const Stages = () => {
  const { pipelines, stages } = usePipelines()
  const [pipelineId, setPipeline] = useUrlState('funil')
  const options = pipelines.map(({ id, name }) => ({ value: id, label: name }))
  const nameOf = (id: string) => pipelines.find((one) => one.id === id)?.name ?? '—'
  const last = stages.filter((one) => one.pipelineId === (pipelineId || pipelines[0]?.id)).at(-1)
  return (
    <ResourceScreen
      resource={stageResource}
      title="Montar o funil"
      purpose="As colunas do quadro: que chance cada uma dá à venda, o que exige, e quando a venda esfria nela."
      emptyText={
        pipelines.length
          ? 'Crie etapas como “Contato”, “Proposta” e “Negociação”.'
          : 'Crie primeiro um funil, em Funis.'
      }
      newValues={{
        color: swatches[stages.length % swatches.length],
        pipelineId: pipelineId || pipelines[0]?.id || '',
        position: (last?.position ?? 0) + 1,
      }}
      progress={<BulkProgress kind="replaceStage" />}
      removal={(asked) => <FunnelRemoval of="stage" {...asked} />}
      query={{ pipelineId: pipelineId || undefined }}
      clearFilters={() => setPipeline('')}
      extraFilters={
        <>
          <MadeOf />
          {options.length > 1 && (
            <Select
              aria-label="Funil"
              data={[{ value: '', label: 'Todos os funis' }, ...options]}
              allowDeselect={false}
              value={pipelineId}
              onChange={(id) => setPipeline(id ?? '')}
            />
          )}
        </>
      }
      columns={[
        {
          key: 'name',
          label: 'Nome',
          render: (one: Stage) => <ColorDot color={one.color} label={one.name} />,
          csv: ({ name }) => name,
        },
        {
          key: 'pipelineId',
          label: 'Funil',
          wideOnly: true,
          width: 160,
          render: (one: Stage) => nameOf(one.pipelineId),
          csv: (one: Stage) => nameOf(one.pipelineId),
        },
        { key: 'position', label: 'Ordem', wideOnly: true, width: 90 },
        {
          key: 'probability',
          label: 'Chance',
          wideOnly: true,
          width: 90,
          render: (one: Stage) => `${one.probability}%`,
        },
        {
          key: 'rotDays',
          label: 'Esfria em',
          wideOnly: true,
          width: 110,
          render: (one: Stage) => (one.rotDays === null ? 'nunca' : `${one.rotDays} dias`),
        },
        changedColumn('Alterada'),
      ]}
      fields={(form, row, inputOf) => (
        <>
          <TextInput {...inputOf('name')} />
          <Select
            label="Funil"
            required
            disabled={row !== null}
            allowDeselect={false}
            data={options}
            {...form.getInputProps('pipelineId')}
          />
          <ColorInput label="Cor" required {...form.getInputProps('color')} />
          <NumberInput
            label="Ordem"
            description="As colunas ficam da menor para a maior."
            min={0}
            max={10_000}
            {...form.getInputProps('position')}
          />
          <NumberInput
            label="Chance de ganhar"
            description="Quanto do valor entra na previsão ponderada."
            min={0}
            max={100}
            suffix="%"
            {...form.getInputProps('probability')}
          />
          <NumberInput
            label="Esfria em (dias)"
            description="Parada mais tempo, a oportunidade fica marcada. Vazio: nunca."
            min={1}
            max={365}
            {...form.getInputProps('rotDays')}
            value={form.values.rotDays ?? ''}
            onChange={(value) => form.setFieldValue('rotDays', value === '' ? null : Number(value))}
          />
          <MultiSelect
            label="Exige para entrar"
            placeholder={form.values.requires?.length ? undefined : 'Nada'}
            data={requirementOptions}
            clearable
            {...form.getInputProps('requires')}
          />
        </>
      )}
    />
  )
}

const outcomeOptions = [
  { value: 'lose', label: 'Perda' },
  { value: 'win', label: 'Ganho' },
]
const Reasons = () => (
  <ResourceScreen
    resource={outcomeReasonResource}
    title="Montar o funil"
    purpose="Por que uma venda é ganha ou perdida. Havendo motivos, quem encerra escolhe um."
    emptyText="Crie motivos como “Preço” e “Comprou de outro”."
    newValues={{ outcome: 'lose', isActive: true }}
    extraFilters={<MadeOf />}
    columns={[
      { key: 'name', label: 'Nome', render: ({ name }) => <strong>{name}</strong>, csv: ({ name }) => name },
      {
        key: 'outcome',
        label: 'De',
        width: 120,
        render: ({ outcome }) => (outcome === 'win' ? 'Ganho' : 'Perda'),
        csv: ({ outcome }) => (outcome === 'win' ? 'Ganho' : 'Perda'),
      },
      activeColumn('Em uso', 'Fora de uso'),
      changedColumn('Alterado'),
    ]}
    fields={(form, _row, inputOf) => (
      <>
        <TextInput {...inputOf('name')} />
        <Select label="De" required allowDeselect={false} data={outcomeOptions} {...form.getInputProps('outcome')} />
        <Switch label="Em uso" {...form.getInputProps('isActive', { type: 'checkbox' })} />
      </>
    )}
  />
)
