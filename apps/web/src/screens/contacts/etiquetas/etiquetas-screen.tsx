import { tagResource } from '@balcao/contract/contacts/tags.ts'
import { Switch, TextInput } from '@mantine/core'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { InUseRemoval } from '../../../features/operations/replacing/in-use-removal.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { activeColumn, changedColumn } from '../../../kit/row-columns.tsx'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { ColorInput, swatches } from '../../../ui/color-input.tsx'

export default function EtiquetasScreen() {
  return (
    <ResourceScreen
      resource={tagResource}
      purpose="Marcam contatos e atendimentos, para achar e filtrar depois."
      emptyText="Crie etiquetas como “Cliente novo” ou “Aguardando pagamento” e use-as nos contatos e atendimentos."
      newValues={{ color: swatches[0] }}
      columns={[
        { key: 'name', label: 'Nome', render: (tag) => <ColorDot color={tag.color} label={tag.name} /> },
        { key: 'color', label: 'Cor', wideOnly: true, width: 120 },
        activeColumn('Ativa', 'Inativa'),
        changedColumn('Alterada'),
      ]}
      progress={<BulkProgress kind="replaceTag" />}
      removal={(asked) => <InUseRemoval resource={tagResource} without="Ficam sem esta etiqueta" {...asked} />}
      fields={(form, _row, inputOf) => (
        <>
          <TextInput {...inputOf('name')} />
          <ColorInput label="Cor" required {...form.getInputProps('color')} />
          <Switch
            label="Ativa"
            description="Etiquetas inativas continuam onde estão, mas não aparecem para escolher."
            {...form.getInputProps('isActive', { type: 'checkbox' })}
          />
        </>
      )}
    />
  )
}
