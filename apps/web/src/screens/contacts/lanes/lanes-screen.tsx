import { laneResource } from '@balcao/contract/contacts/lanes.ts'
import { Button, NumberInput, Switch, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { InUseRemoval } from '../../../features/operations/replacing/in-use-removal.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { activeColumn, changedColumn } from '../../../kit/row-columns.tsx'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { ColorInput, swatches } from '../../../ui/color-input.tsx'

export default function LanesScreen() {
  return (
    <ResourceScreen
      resource={laneResource}
      purpose="As colunas do quadro de contatos: por onde um contato passa até virar cliente."
      emptyText="Crie etapas como “Novo”, “Em negociação” e “Cliente”, e arraste os contatos entre elas no quadro."
      newValues={{ color: swatches[0] }}
      extraFilters={
        <Button component={Link} to="/kanban/kanbans" variant="default" fw={400}>
          Abrir o quadro
        </Button>
      }
      columns={[
        { key: 'name', label: 'Nome', render: (lane) => <ColorDot color={lane.color} label={lane.name} /> },
        { key: 'position', label: 'Ordem', wideOnly: true, width: 100 },
        { key: 'limit', label: 'Limite', wideOnly: true, width: 120, render: (lane) => lane.limit ?? 'Sem limite' },
        activeColumn('Ativa', 'Inativa'),
        changedColumn('Alterada'),
      ]}
      progress={<BulkProgress kind="replaceLane" />}
      removal={(asked) => <InUseRemoval resource={laneResource} without="Ficam sem etapa" {...asked} />}
      fields={(form, row, inputOf) => (
        <>
          <TextInput {...inputOf('name')} />
          <ColorInput label="Cor" required {...form.getInputProps('color')} />
          <NumberInput
            label="Ordem"
            description="As colunas ficam da menor para a maior."
            min={0}
            max={10_000}
            {...form.getInputProps('position')}
          />
          <NumberInput
            label="Limite de contatos"
            description="Opcional: acima dele, o número da coluna fica em destaque."
            min={1}
            max={100_000}
            {...form.getInputProps('limit')}
            value={form.values.limit ?? ''}
            onChange={(value) => form.setFieldValue('limit', value === '' ? null : Number(value))}
          />
          <Switch
            label="Ativa"
            description="Uma etapa inativa fica no quadro só enquanto houver contatos nela."
            {...form.getInputProps('isActive', { type: 'checkbox' })}
          />
          {row?.isActive && !form.values.isActive && (
            <FlowsNaming ids={[row.id]} then="lá, contatos continuam a entrar nesta etapa até você trocar." />
          )}
        </>
      )}
    />
  )
}
