import { knowledgeBaseResource } from '@balcao/contract/automation/assistants/knowledge.ts'
import { Button, Text, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../../../kit/format.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'
import { useGo } from '../../../kit/use-go.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { basePath } from './knowledge-api.ts'
import { MeaningField } from './meaning-field.tsx'

/** Every base: how much is in it, who uses it, and whether something could not be read. */
export const BaseList = ({ tabs }: { tabs: ReactNode }) => {
  const go = useGo()
  return (
    <ResourceScreen
      resource={knowledgeBaseResource}
      title="Conhecimento"
      purpose="O que os assistentes podem consultar para responder: arquivos, páginas, textos e mensagens rápidas."
      emptyText="Crie uma base, acrescente o que a empresa sabe e ligue-a a um assistente."
      createLabel="Criar base"
      extraFilters={tabs}
      clearFilters={() => {}}
      onCreated={(row) => go(basePath(row.id))}
      rowActions={(row) => (
        <Button
          component={Link}
          to={basePath(row.id)}
          variant="light"
          size="compact-sm"
          aria-label={`Abrir ${row.name}`}
        >
          Abrir
        </Button>
      )}
      columns={[
        {
          key: 'name',
          width: 260,
          render: (row) => (
            <span>
              <Text size="sm" fw={600}>
                {row.name}
              </Text>
              {row.description && (
                <Text size="xs" c="dimmed">
                  {row.description}
                </Text>
              )}
            </span>
          ),
          csv: (row) => row.name,
        },
        {
          key: 'sources',
          label: 'Fontes',
          width: 150,
          render: (row) =>
            row.failed ? (
              <StatusDot tone="bad" label={`${formatNumber(row.failed)} de ${formatNumber(row.sources)} com erro`} />
            ) : (
              <span className="tabular">{formatNumber(row.sources)}</span>
            ),
          csv: (row) => row.sources,
        },
        {
          key: 'chunks',
          label: 'Trechos',
          width: 100,
          wideOnly: true,
          render: (row) => <span className="tabular">{formatNumber(row.chunks)}</span>,
          csv: (row) => row.chunks,
        },
        {
          key: 'assistants',
          label: 'Usada por',
          wideOnly: true,
          render: (row) => row.assistants.map(({ name }) => name).join(', ') || '—',
          csv: (row) => row.assistants.map(({ name }) => name).join(', '),
        },
        changedColumn('Alterada'),
      ]}
      fields={(_form, row, inputOf) => (
        <>
          {row && (
            <Button component={Link} to={basePath(row.id)}>
              Abrir as fontes
            </Button>
          )}
          <TextInput {...inputOf('name')} />
          <Textarea autosize minRows={2} {...inputOf('description')} />
          <MeaningField base={row} input={inputOf('integrationId')} />
        </>
      )}
    />
  )
}
