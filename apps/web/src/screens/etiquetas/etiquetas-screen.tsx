import { tagResource } from '@balcao/contract/tags.ts'
import { Switch, TextInput } from '@mantine/core'
import { ResourceScreen } from '../../kit/resource-screen.tsx'
import { ColorDot } from '../../ui/color-dot.tsx'
import { ColorInput, swatches } from '../../ui/color-input.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'

export default function EtiquetasScreen() {
  return (
    <ResourceScreen
      resource={tagResource}
      purpose="Marcam contatos e atendimentos, para achar e filtrar depois."
      emptyText="Crie etiquetas como “Cliente novo” ou “Aguardando pagamento” e use-as nos contatos e atendimentos."
      newValues={{ color: swatches[0] }}
      labels={{ isActive: 'Situação' }}
      columns={[
        { key: 'name', label: 'Nome', render: (tag) => <ColorDot color={tag.color} label={tag.name} /> },
        { key: 'color', label: 'Cor', wideOnly: true, width: 120 },
        {
          key: 'isActive',
          label: 'Situação',
          width: 140,
          render: (tag) => (
            <StatusDot tone={tag.isActive ? 'good' : 'quiet'} label={tag.isActive ? 'Ativa' : 'Inativa'} />
          ),
        },
        {
          key: 'updatedAt',
          label: 'Alterada',
          wideOnly: true,
          width: 160,
          render: (tag) => <RelativeTime moment={tag.updatedAt} />,
        },
      ]}
      fields={(form) => (
        <>
          <TextInput label="Nome" required maxLength={60} data-autofocus {...form.getInputProps('name')} />
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
