import { type Flow, flowResource } from '@balcao/contract/automation/flows/flows.ts'
import { ActionIcon, Button, Switch, Text, Textarea, TextInput, Tooltip } from '@mantine/core'
import { IconCopy, IconDownload, IconFileImport, IconPlus, IconSitemap } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link } from 'react-router'
import { builderPath, duplicateFlow, exportFlow } from '../../../features/automation/flows/api.ts'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'
import { useGo } from '../../../kit/use-go.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { notify } from '../../../ui/notify.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import classes from './flow-list.module.css'
import { ImportDialog } from './import-dialog.tsx'

const startWords: Record<Flow['startsOn'][number]['kind'], string> = {
  connection: 'Canal',
  queue: 'Fila',
  company: 'Toda a empresa',
  keyword: 'Palavra',
}
const startsText = ({ startsOn, celularTeste }: Flow) =>
  [
    ...(celularTeste ? [`Só o celular de teste ${celularTeste}`] : []),
    ...startsOn.map(({ kind, name }) => (kind === 'company' ? startWords.company : `${startWords[kind]} ${name}`)),
  ].join(', ')
const stateOf = ({ isActive, published, isChanged }: Flow) => {
  if (!isActive) return { tone: 'quiet', label: 'Desligado' } as const
  if (!published) return { tone: 'waiting', label: 'Nunca publicado' } as const
  return { tone: 'good', label: isChanged ? 'Publicado, com mudanças' : 'Publicado' } as const
}

// The ready flows are long, and read only where one is begun.
const GalleryField = lazy(async () => ({ default: (await import('./gallery-field.tsx')).GalleryField }))

/** Every flow: what it is for, whether it runs, where it starts, how many conversations it has in hand. */
export const FlowList = () => {
  const go = useGo()
  const { setOpened } = useOpened()
  const [isImporting, setImporting] = useState(false)
  const offered = useRef('')
  return (
    <>
      <ResourceScreen
        resource={flowResource}
        purpose="Conversas que se conduzem sozinhas: perguntam, decidem, fazem e passam para a equipe."
        emptyText="Comece por um modelo pronto do seu ramo, ou por um quadro em branco."
        createLabel="Criar fluxo"
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconFileImport size={18} aria-hidden />}
              onClick={() => setImporting(true)}
            >
              Importar
            </Button>
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('novo')}>
              Criar fluxo
            </Button>
          </>
        }
        onCreated={(row) => go(builderPath(row.id))}
        rowActions={(row) => <RowActions row={row} />}
        columns={[
          {
            key: 'name',
            width: 260,
            render: (row) => (
              <span className={classes.words}>
                <strong className={classes.name}>{row.name}</strong>
                {row.description && <span className={classes.meta}>{row.description}</span>}
              </span>
            ),
            csv: (row) => row.name,
          },
          {
            key: 'isActive',
            label: 'Situação',
            width: 190,
            render: (row) => <StatusDot {...stateOf(row)} />,
            csv: (row) => stateOf(row).label,
          },
          {
            key: 'startsOn',
            label: 'Onde começa',
            wideOnly: true,
            render: (row) => startsText(row) || 'Só à mão ou por outro fluxo',
            csv: startsText,
          },
          {
            key: 'running',
            label: 'Em andamento',
            width: 130,
            wideOnly: true,
            render: (row) => <span className="tabular">{formatNumber(row.running)}</span>,
            csv: (row) => row.running,
          },
          {
            key: 'published',
            label: 'Versão',
            width: 90,
            wideOnly: true,
            render: (row) => row.published?.number ?? '—',
            csv: (row) => row.published?.number,
          },
          changedColumn('Alterado'),
        ]}
        fields={(form, row, inputOf) => (
          <>
            {row && (
              <Button component={Link} to={builderPath(row.id)} leftSection={<IconSitemap size={18} aria-hidden />}>
                Abrir o quadro
              </Button>
            )}
            <TextInput {...inputOf('name')} />
            <Textarea autosize minRows={2} {...inputOf('description')} />
            {!row && (
              <Suspense fallback={null}>
                <GalleryField
                  value={form.values.model ?? null}
                  onChange={(model, name) => {
                    const before = form.values.name
                    form.setFieldValue('model', model)
                    // The name of a ready flow, as long as nobody wrote another.
                    if (!before || before === offered.current) form.setFieldValue('name', name)
                    offered.current = name
                  }}
                />
              </Suspense>
            )}
            {row && (
              <>
                <Switch
                  label="Ativo"
                  description="Desligado, não começa sozinho em nenhuma conversa."
                  {...form.getInputProps('isActive', { type: 'checkbox' })}
                />
                {row.isActive && !form.values.isActive && (
                  <>
                    {row.startsOn.length > 0 && (
                      <Text inherit role="status">
                        Hoje ele começa em: {startsText(row)}. Desligado, deixa de começar ali.
                      </Text>
                    )}
                    <FlowsNaming ids={[row.id]} then="lá, o passo é pulado." />
                  </>
                )}
                <TextInput
                  label="Celular de teste"
                  description="Enquanto houver um número aqui, começa sozinho só para ele."
                  placeholder="(11) 98765-4321"
                  maxLength={40}
                  {...form.getInputProps('celularTeste')}
                  value={form.values.celularTeste ?? ''}
                  onChange={(event) => form.setFieldValue('celularTeste', event.currentTarget.value || null)}
                />
              </>
            )}
          </>
        )}
      />
      {isImporting && <ImportDialog flowId={null} onClose={() => setImporting(false)} />}
    </>
  )
}

const RowActions = ({ row }: { row: Flow }) => {
  const cache = useQueryClient()
  const duplicate = useMutation({
    mutationFn: () => duplicateFlow(row.id),
    onSuccess: (copy) => {
      void cache.invalidateQueries({ queryKey: ['resource', 'chatFlow'] })
      notify.success(`Fluxo duplicado como “${copy.name}”.`)
    },
    onError: (error) => notify.error(messageOf(error)),
  })
  const handleExport = () => exportFlow(row.id).catch((error: unknown) => notify.error(messageOf(error)))
  return (
    <span className={classes.actions}>
      <Button
        component={Link}
        to={builderPath(row.id)}
        variant="light"
        size="compact-sm"
        aria-label={`Abrir o quadro de ${row.name}`}
      >
        Abrir
      </Button>
      <Tooltip label="Duplicar">
        <ActionIcon
          aria-label={`Duplicar ${row.name}`}
          loading={duplicate.isPending}
          onClick={() => duplicate.mutate()}
        >
          <IconCopy size={17} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Exportar arquivo">
        <ActionIcon aria-label={`Exportar ${row.name}`} onClick={() => void handleExport()}>
          <IconDownload size={17} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
    </span>
  )
}
