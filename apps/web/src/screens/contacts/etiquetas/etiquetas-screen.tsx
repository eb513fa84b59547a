import { type TagCounts, type TagGroup, tagGroupResource, tagResource } from '@balcao/contract/contacts/tags.ts'
import { Button, Menu, Select, Switch, TextInput } from '@mantine/core'
import { IconArchive, IconFolder } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { CsvImport } from '../../../features/core/csv/csv-import.tsx'
import { GroupsModal } from '../../../features/core/groups/groups-modal.tsx'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { InUseRemoval } from '../../../features/operations/replacing/in-use-removal.tsx'
import { api } from '../../../kit/api.ts'
import { changeRows } from '../../../kit/change-rows.ts'
import { downloadFile } from '../../../kit/download.ts'
import { formatNumber } from '../../../kit/format.ts'
import { allRows } from '../../../kit/resource-api.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { ColorInput, swatches } from '../../../ui/color-input.tsx'
import classes from './etiquetas-screen.module.css'
import { TagPairs } from './tag-pairs.tsx'

export default function EtiquetasScreen() {
  const cache = useQueryClient()
  const mayWrite = useCan(tagResource.can.write)
  const groups = useQuery(allRows<TagGroup>(tagGroupResource)).data ?? []
  const counts = useQuery(tagCountsQuery).data
  const [groupId, setGroup] = useUrlState('grupo')
  const [standing, setStanding] = useUrlState('situacao')
  const [dialog, setDialog] = useState<'groups' | 'pairs' | null>(null)
  const isArchive = standing === 'arquivadas'
  const groupOf = (id: string | null) => groups.find((group) => group.id === id)
  const countOf = (id: string, what: 'contacts' | 'tickets') =>
    counts && (counts.items.find((one) => one.id === id)?.[what] ?? 0)
  const change = async (rows: readonly { id: string }[], values: Record<string, unknown>, done: () => void) => {
    await changeRows(tagResource, rows, values)
    done()
    void cache.invalidateQueries({ queryKey: ['resource', 'tag'] })
  }
  return (
    <>
      <ResourceScreen
        resource={tagResource}
        purpose="Marcam contatos e atendimentos, para achar e filtrar depois."
        emptyText="Crie etiquetas como “Cliente novo” ou “Aguardando pagamento” e use-as nos contatos e atendimentos."
        newValues={{ color: swatches[0], groupId: groupOf(groupId)?.id ?? null }}
        query={{ groupId: groupId || undefined, isActive: !isArchive }}
        extraFilters={
          <>
            <Select
              aria-label="Grupo"
              className={classes.group}
              data={[
                { value: '', label: 'Todos os grupos' },
                { value: 'none', label: 'Sem grupo' },
                ...groups.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              leftSection={<IconFolder size={16} aria-hidden />}
              allowDeselect={false}
              searchable={groups.length > 8}
              value={groupId}
              onChange={(next) => setGroup(next ?? '')}
            />
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
        clearFilters={() => {
          setGroup('')
          setStanding('')
        }}
        tools={
          mayWrite && (
            <>
              <CsvImport
                path="/tags/import"
                event="tag"
                many="etiquetas"
                help="Um arquivo CSV com a coluna “Nome” e, se quiser, “Cor” (#RRGGBB), “Grupo” e “Ativa” (Sim ou Não). Uma etiqueta de mesmo nome é alterada."
                foldersLabel="Grupos novos"
              />
              <Button variant="default" fw={400} onClick={() => setDialog('groups')}>
                Grupos
              </Button>
              <Button variant="default" fw={400} onClick={() => setDialog('pairs')}>
                Repetidas
              </Button>
            </>
          )
        }
        exportAll={(query) => downloadFile({ path: '/tags/export.csv', query })}
        bulkActions={(chosen, done) => (
          <>
            <Menu position="bottom-start">
              <Menu.Target>
                <Button size="xs" variant="light" leftSection={<IconFolder size={16} aria-hidden />}>
                  Mover
                </Button>
              </Menu.Target>
              <Menu.Dropdown className={classes.menu}>
                <Menu.Item onClick={() => void change(chosen, { groupId: null }, done)}>Sem grupo</Menu.Item>
                {groups.map(({ id, name, color }) => (
                  <Menu.Item key={id} onClick={() => void change(chosen, { groupId: id }, done)}>
                    <ColorDot color={color} label={name} />
                  </Menu.Item>
                ))}
                <Menu.Divider />
                <Menu.Item onClick={() => setDialog('groups')}>Criar grupo…</Menu.Item>
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
        columns={[
          { key: 'name', label: 'Nome', render: (tag) => <ColorDot color={tag.color} label={tag.name} /> },
          {
            key: 'groupId',
            label: 'Grupo',
            width: 190,
            wideOnly: true,
            render: (tag) => {
              const group = groupOf(tag.groupId)
              return group && <ColorDot color={group.color} label={group.name} />
            },
            csv: (tag) => groupOf(tag.groupId)?.name,
          },
          ...(['contacts', 'tickets'] as const).map((what) => ({
            key: what,
            label: what === 'contacts' ? 'Contatos' : 'Em atendimento',
            width: 130,
            align: 'right' as const,
            wideOnly: true,
            render: ({ id }: { id: string }) => {
              const count = countOf(id, what)
              return <span className="tabular">{count === undefined ? '' : formatNumber(count)}</span>
            },
          })),
          changedColumn('Alterada'),
        ]}
        progress={<BulkProgress kind="replaceTag" />}
        removal={(asked) => <InUseRemoval resource={tagResource} without="Ficam sem esta etiqueta" {...asked} />}
        fields={(form, row, inputOf) => (
          <>
            <TextInput {...inputOf('name')} />
            <ColorInput label="Cor" required {...form.getInputProps('color')} />
            {groups.length > 0 && (
              <Select
                label="Grupo"
                placeholder="Sem grupo"
                clearable
                data={groups.map(({ id, name }) => ({ value: id, label: name }))}
                {...form.getInputProps('groupId')}
              />
            )}
            <Switch
              label="Em uso"
              description="Arquivada, ela continua onde está e não aparece mais para escolher."
              {...form.getInputProps('isActive', { type: 'checkbox' })}
            />
            {row?.isActive && !form.values.isActive && (
              <FlowsNaming ids={[row.id]} then="lá, a etiqueta continua a valer até você trocar." />
            )}
          </>
        )}
      />
      {dialog === 'groups' && (
        <GroupsModal
          resource={tagGroupResource}
          title="Grupos de etiquetas"
          newLabel="Novo grupo"
          rows={groups}
          beside={(group, save) => (
            <ColorInput
              aria-label={`Cor de ${group.name}`}
              className={classes.color}
              value={group.color}
              onChangeEnd={(color) => save({ color })}
            />
          )}
          newValues={{ color: swatches[groups.length % swatches.length] }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'pairs' && <TagPairs countOf={countOf} onClose={() => setDialog(null)} />}
    </>
  )
}

/** Read anew with the tags; counting a very large company takes a moment. */
const tagCountsQuery = {
  queryKey: ['resource', 'tag', 'counts'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.get<TagCounts>('/tags/counts', { signal }),
  staleTime: 60_000,
}
