import { blankPart, type Part, partProblems, type ShownPart } from '@balcao/contract/conversations/parts.ts'
import { type QuickMessage, quickMessageResource, scopeProblems } from '@balcao/contract/service/quick-messages.ts'
import { DragDropProvider, DragOverlay } from '@dnd-kit/react'
import { ActionIcon, Button, Menu, Select, Switch, TextInput, Tooltip } from '@mantine/core'
import { IconArchive, IconFolder, IconFolderSymlink } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { useSampleContext } from '../../../features/contacts/variables/sample.ts'
import { PartsField } from '../../../features/conversations/parts/parts-field.tsx'
import { PartsPreview } from '../../../features/conversations/parts/parts-preview.tsx'
import { CsvImport } from '../../../features/core/csv/csv-import.tsx'
import { quickFolders } from '../../../features/service/quick-messages/api.ts'
import { QuickIcon } from '../../../features/service/quick-messages/quick-line.tsx'
import { reasonOf } from '../../../kit/api-error.ts'
import { changeRows } from '../../../kit/change-rows.ts'
import { downloadFile } from '../../../kit/download.ts'
import { formatNumber } from '../../../kit/format.ts'
import { type PlainRow, saveRow } from '../../../kit/resource-api.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { plugins, sensors } from '../../../ui/dragging.ts'
import { notify } from '../../../ui/notify.ts'
import { FolderStrip } from './folder-strip.tsx'
import { FoldersModal } from './folders-modal.tsx'
import { LibraryTabs } from './library-tabs.tsx'
import { MovableKey } from './movable-key.tsx'
import classes from './quick-messages-tab.module.css'
import { QuickPairs } from './quick-pairs.tsx'
import { ScopeFields, useScopeColumn } from './scope.tsx'
import { UsesLine } from './uses-line.tsx'

/** Texts, files, recordings and buttons that are kept ready. */
export const QuickMessagesTab = () => {
  const { userId } = useCurrentSession()
  const mayShare = useCan('quick-messages.share')
  const mayCreate = useCan('quick-messages.write')
  const cache = useQueryClient()
  const scopeColumn = useScopeColumn()
  const sample = useSampleContext()
  const folders = useQuery(quickFolders).data ?? []
  const [folderId, setFolder] = useUrlState('pasta')
  const [standing, setStanding] = useUrlState('situacao')
  const [dragged, setDragged] = useState<QuickMessage | null>(null)
  const [dialog, setDialog] = useState<'folders' | 'pairs' | null>(null)
  const canWrite = (row: QuickMessage) => row.userId === userId || mayShare
  const change = async (rows: readonly QuickMessage[], values: Record<string, unknown>, done: () => void) => {
    await changeRows(quickMessageResource, rows.filter(canWrite), values)
    done()
    void cache.invalidateQueries({ queryKey: ['resource', 'quickMessage'] })
  }
  const isArchive = standing === 'arquivadas'
  /** Those it may lie in: folders belong to the same people as what stands in them. */
  const placesOf = (row: QuickMessage) => [
    ...folders.filter(
      (one) =>
        one.id !== row.folderId && one.scope === row.scope && (one.scope !== 'queue' || one.queueId === row.queueId),
    ),
    ...(row.folderId ? [{ id: 'none', name: 'Sem pasta' }] : []),
  ]
  const move = async (row: QuickMessage, to: string) => {
    const put = (of: { id: string }, folder: string | null) =>
      saveRow(quickMessageResource, of as PlainRow, { folderId: folder }) // as its list read it
    const renew = () => cache.invalidateQueries({ queryKey: ['resource', 'quickMessage'] })
    const during = (work: Promise<unknown>) => work.catch((error: unknown) => notify.error(reasonOf(error))).then(renew)
    await during(
      put(row, to === 'none' ? null : to).then((moved) =>
        notify.success(`/${row.key}: ${placesOf(row).find(({ id }) => id === to)?.name ?? ''}`, {
          label: 'Desfazer',
          onClick: () => void during(put(moved, row.folderId)),
        }),
      ),
    )
  }
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragStart={({ operation: { source } }) => setDragged((source?.data.row as QuickMessage | undefined) ?? null)}
      onDragEnd={({ operation: { target }, canceled }) => {
        setDragged(null)
        const to = String(target?.id ?? '').replace(/^folder:/, '')
        if (!canceled && dragged && placesOf(dragged).some(({ id }) => id === to)) void move(dragged, to)
      }}
    >
      <ResourceScreen
        resource={quickMessageResource}
        removal={({ rows, what, busy, onConfirm, onClose }) => (
          <ConfirmDelete opened what={what} busy={busy} onConfirm={() => onConfirm()} onClose={onClose}>
            <FlowsNaming ids={rows.map(({ id }) => id)} />
            Esta ação não pode ser desfeita.
          </ConfirmDelete>
        )}
        query={{ folderId: folderId || undefined, isActive: !isArchive }}
        extraFilters={
          <>
            <LibraryTabs value="mensagens" />
            <Select
              aria-label="Situação"
              className={classes.standing}
              data={[
                { value: '', label: 'Em uso' },
                { value: 'arquivadas', label: 'Arquivadas' },
              ]}
              allowDeselect={false}
              value={standing}
              onChange={(next) => setStanding(next ?? '')}
            />
          </>
        }
        progress={
          folders.length > 0 && (
            <FolderStrip
              folders={folders}
              value={folderId}
              onChange={setFolder}
              takes={(id) => dragged !== null && placesOf(dragged).some((one) => one.id === id)}
            />
          )
        }
        rowActions={(row) =>
          canWrite(row) &&
          placesOf(row).length > 0 && (
            <Menu position="bottom-end">
              <Menu.Target>
                <Tooltip label="Mover para uma pasta">
                  <ActionIcon aria-label={`Mover /${row.key} para uma pasta`}>
                    <IconFolderSymlink size={18} stroke={1.75} />
                  </ActionIcon>
                </Tooltip>
              </Menu.Target>
              <Menu.Dropdown className={classes.menu}>
                {placesOf(row).map(({ id, name }) => (
                  <Menu.Item key={id} onClick={() => void move(row, id)}>
                    {name}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )
        }
        clearFilters={() => {
          setFolder('')
          setStanding('')
        }}
        tools={
          mayCreate && (
            <>
              <CsvImport
                path="/fastreply/import"
                event="quickMessage"
                many="mensagens rápidas"
                help="Um arquivo CSV com as colunas “Atalho” e “Mensagem” e, se quiser, “Para quem”, “Fila”, “Pasta”, “Tipo” e “Opções”. Baixe o CSV desta tela para ver todas. Linhas seguidas com o mesmo atalho são partes da mesma mensagem."
                foldersLabel="Pastas novas"
              />
              <Button variant="default" fw={400} onClick={() => setDialog('folders')}>
                Pastas
              </Button>
              <Button variant="default" fw={400} onClick={() => setDialog('pairs')}>
                Repetidas
              </Button>
            </>
          )
        }
        exportAll={(query) => downloadFile({ path: '/fastreply/export.csv', query })}
        purpose="Respostas prontas: na conversa, digite / e o atalho, ou palavras do texto."
        emptyText="Guarde aqui o que você escreve todo dia, como o horário de funcionamento ou os dados para pagamento."
        rowName={(row) => `/${row.key}`}
        canWrite={canWrite}
        check={(values) => [...scopeProblems(values), ...partProblems(values.parts ?? [])]}
        newValues={{
          parts: [{ ...blankPart('text'), media: null } as Part],
          ...ofFolder(folders.find(({ id }) => id === folderId)),
        }}
        toValues={() => ({ message: undefined, mediaId: undefined, isVoz: undefined })}
        labels={{ scope: 'Quem usa' }}
        bulkActions={(chosen, done) => (
          <>
            <Menu position="bottom-start">
              <Menu.Target>
                <Button size="xs" variant="light" leftSection={<IconFolder size={16} aria-hidden />}>
                  Mover
                </Button>
              </Menu.Target>
              <Menu.Dropdown className={classes.menu}>
                <Menu.Item onClick={() => void change(chosen, { folderId: null }, done)}>Sem pasta</Menu.Item>
                {folders.map(({ id, name }) => (
                  <Menu.Item key={id} onClick={() => void change(chosen, { folderId: id }, done)}>
                    {name}
                  </Menu.Item>
                ))}
                <Menu.Divider />
                <Menu.Item onClick={() => setDialog('folders')}>Criar pasta…</Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button
              size="xs"
              variant="light"
              leftSection={<IconArchive size={16} aria-hidden />}
              onClick={() => void change(chosen, { isActive: isArchive }, done)}
            >
              {isArchive ? 'Restaurar' : 'Arquivar'}
            </Button>
          </>
        )}
        under={(row) => row.message || row.media?.name}
        columns={[
          {
            key: 'key',
            label: 'Atalho',
            width: 180,
            render: (row) => <MovableKey row={row} canMove={folders.length > 0 && canWrite(row)} />,
            csv: (row) => row.key,
          },
          {
            key: 'parts',
            label: 'Mensagem',
            fills: true,
            wideOnly: true,
            render: (row) => (
              <span className={classes.message}>
                <QuickIcon parts={row.parts} />
                <span className="truncate">{row.message || row.media?.name}</span>
              </span>
            ),
            csv: (row) => row.message,
          },
          {
            key: 'folderId',
            label: 'Pasta',
            width: 150,
            wideOnly: true,
            render: (row) => folders.find(({ id }) => id === row.folderId)?.name,
            csv: (row) => folders.find(({ id }) => id === row.folderId)?.name,
          },
          scopeColumn,
          {
            key: 'uses',
            label: 'Usos',
            width: 90,
            align: 'right',
            wideOnly: true,
            render: (row) => <span className="tabular">{formatNumber(row.uses.total)}</span>,
            csv: (row) => row.uses.total,
          },
        ]}
        fields={(form, row) => {
          // The form keeps what the row has of each: the file beside its id.
          const parts = (form.values.parts ?? []) as ShownPart[]
          const { scope, queueId } = form.values
          const own = folders.filter((one) => one.scope === scope && (scope !== 'queue' || one.queueId === queueId))
          return (
            <>
              {row && <UsesLine row={row} />}
              <TextInput
                label="Atalho"
                required
                leftSection="/"
                maxLength={40}
                data-autofocus
                {...form.getInputProps('key')}
              />
              <PartsField
                parts={parts}
                onChange={(next) => form.setFieldValue('parts', next)}
                errorOf={(path) => form.errors[path]}
              />
              <section className={classes.preview} aria-label="Como o cliente vê">
                <span className={classes.label}>Como o cliente vê</span>
                <PartsPreview parts={parts} context={sample} />
              </section>
              <ScopeFields
                scope={scope}
                inputOf={(field) => {
                  const input = form.getInputProps(field)
                  return {
                    ...input,
                    onChange: (value: unknown) => {
                      input.onChange(value)
                      form.setFieldValue('folderId', null) // other people, other folders
                    },
                  }
                }}
              />
              {own.length > 0 && (
                <Select
                  label="Pasta"
                  placeholder="Sem pasta"
                  clearable
                  data={own.map(({ id, name }) => ({ value: id, label: name }))}
                  {...form.getInputProps('folderId')}
                />
              )}
              {scope === 'everyone' && (
                <TextInput
                  label="Título na ajuda do chat"
                  description="Com um título, o texto aparece na ajuda da janela do site, para qualquer visitante. Vazio: não aparece."
                  maxLength={120}
                  {...form.getInputProps('helpTitle')}
                  value={form.values.helpTitle ?? ''}
                />
              )}
              {row && (
                <Switch
                  label="Em uso"
                  description="Arquivada, ela não aparece mais ao digitar / e continua guardada aqui."
                  {...form.getInputProps('isActive', { type: 'checkbox' })}
                />
              )}
            </>
          )
        }}
      />
      {dialog === 'folders' && <FoldersModal onClose={() => setDialog(null)} />}
      {dialog === 'pairs' && <QuickPairs canWrite={canWrite} onClose={() => setDialog(null)} />}
      <DragOverlay dropAnimation={null}>
        {dragged && <span className={classes.dragged}>/{dragged.key}</span>}
      </DragOverlay>
    </DragDropProvider>
  )
}

type Folder = { id: string; scope: QuickMessage['scope']; queueId: string | null }
/** What is made in a folder stands in it. */
const ofFolder = (folder: Folder | undefined) =>
  folder && { folderId: folder.id, scope: folder.scope, queueId: folder.queueId }
