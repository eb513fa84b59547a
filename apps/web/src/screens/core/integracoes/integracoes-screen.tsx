import { families } from '@balcao/contract/core/integrations/define.ts'
import {
  type Integration,
  type IntegrationKind,
  integrationResource,
  integrations,
} from '@balcao/contract/core/integrations/index.ts'
import { Group } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import { IntegrationForm } from '../../../features/core/integrations/integration-form.tsx'
import { IntegrationState } from '../../../features/core/integrations/integration-state.tsx'
import { ProviderGallery } from '../../../features/core/providers/provider-gallery.tsx'
import { type FormAsked, ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'
import { useOpened } from '../../../kit/use-opened.ts'
import { notify } from '../../../ui/notify.ts'
import { ProviderGlyph } from '../../../ui/provider-glyph.tsx'
import { EntregasScreen } from './entregas-screen.tsx'

export default function IntegracoesScreen() {
  const { integrationId } = useParams()
  if (integrationId) return <EntregasScreen key={integrationId} integrationId={integrationId} />
  return (
    <ResourceScreen
      resource={integrationResource}
      title="Integrações"
      purpose="Contas que a empresa usa além dos canais: o e-mail por onde saem avisos, proxies, sistemas que são avisados."
      createLabel="Adicionar integração"
      emptyText="Ligue o e-mail da empresa, de onde sairão convites e senhas novas, ou um webhook, que avisa o seu sistema do que acontece."
      columns={[
        {
          key: 'name',
          label: 'Nome',
          render: ({ name, kind }) => (
            <Group gap="xs" wrap="nowrap">
              <ProviderGlyph glyph={integrations[kind].glyph} size={22} />
              <span className="truncate">{name}</span>
            </Group>
          ),
        },
        {
          key: 'family',
          label: 'Para quê',
          render: ({ family }) => families[family].label,
          csv: ({ family }) => families[family].label,
        },
        {
          key: 'state',
          label: 'Situação',
          render: (row) => <IntegrationState of={row} />,
          csv: ({ stateText }) => stateText,
        },
        changedColumn('Alterada'),
      ]}
      form={(asked) => <ChosenForm key={asked.row?.id ?? 'nova'} {...asked} />}
    />
  )
}

/** A new one begins with the choice of its provider. */
const ChosenForm = ({ row, onClose, onSaved, onDelete }: FormAsked<Integration>) => {
  const { setOpened } = useOpened()
  const [kind, setKind] = useState<IntegrationKind | null>(row?.kind ?? null)
  if (!kind)
    return (
      <ProviderGallery
        opened
        title="O que você quer ligar?"
        providers={Object.values(integrations)}
        onChoose={setKind}
        onClose={onClose}
      />
    )
  const handleSaved = (saved: Integration) => {
    notify.success(row ? 'Alterações salvas.' : `${saved.name}: integração adicionada.`)
    onSaved()
    setOpened(row ? null : saved.id) // a new one can be tested now, and has addresses to copy
  }
  return <IntegrationForm kind={kind} row={row} onClose={onClose} onSaved={handleSaved} onDelete={onDelete} />
}
