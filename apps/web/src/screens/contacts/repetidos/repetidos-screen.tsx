import { type DuplicatePair, duplicateReasonLabels, duplicateReasons } from '@balcao/contract/contacts/duplicates.ts'
import { ActionIcon, Button, Group, SegmentedControl, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowsSplit2, IconGitMerge } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import {
  dropContact,
  dropPairs,
  duplicatesKey,
  duplicatesList,
  keepApart,
  suggestAgain,
} from '../../../features/contacts/duplicates/api.ts'
import { Pair } from '../../../features/contacts/duplicates/pair.tsx'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { reasonOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { notify } from '../../../ui/notify.ts'

const MergeDialog = lazy(async () => ({
  default: (await import('../../../features/contacts/contacts/merge-dialog.tsx')).MergeDialog,
}))
const MergeManyDialog = lazy(async () => ({
  default: (await import('../../../features/contacts/duplicates/merge-many-dialog.tsx')).MergeManyDialog,
}))

const reasonOptions = duplicateReasons.map((value) => ({ value, label: duplicateReasonLabels[value] }))
const nameOf = ({ a, b }: DuplicatePair) => `${a.name} e ${b.name}`

export default function RepetidosScreen() {
  const cache = useQueryClient()
  const [view, setView] = useUrlState('ver', 'sugestoes')
  const [reasons, setReasons] = useUrlList('motivo')
  const isApart = view === 'separados'
  const list = useInfiniteQuery({
    ...duplicatesList({ state: isApart ? 'apart' : 'open', reasons }),
    placeholderData: keepRows,
  })
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [merging, setMerging] = useState<DuplicatePair | null>(null)
  const [many, setMany] = useState<'chosen' | 'all' | null>(null)
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const chosen = rows.filter((row) => marked.has(row.id))

  const decide = async (pairs: readonly DuplicatePair[], apart: boolean) => {
    const ids = new Set(pairs.map((pair) => pair.id))
    dropPairs(cache, ({ id }) => ids.has(id))
    setMarked(new Set())
    try {
      await (apart ? keepApart : suggestAgain)(pairs)
      const said = apart ? 'Mantidos separados.' : 'De volta às sugestões.'
      notify.success(said, { label: 'Desfazer', onClick: () => void decide(pairs, !apart) })
    } catch (error) {
      notify.error(reasonOf(error))
    }
    void cache.invalidateQueries({ queryKey: duplicatesKey })
  }
  return (
    <ReadingScreen<DuplicatePair>
      title="Contatos repetidos"
      purpose="Contatos que podem ser a mesma pessoa. Una os dois ou diga que são pessoas diferentes."
      actions={
        !isApart &&
        rows.length > 0 && (
          <Button leftSection={<IconGitMerge size={18} aria-hidden />} onClick={() => setMany('all')}>
            Unir todos
          </Button>
        )
      }
      filters={
        <>
          <SegmentedControl
            aria-label="Quais pares"
            value={view}
            onChange={(next) => {
              setMarked(new Set())
              setView(next)
            }}
            data={[
              { value: 'sugestoes', label: 'Sugestões' },
              { value: 'separados', label: 'Mantidos separados' },
            ]}
          />
          <FilterMenu label="Motivo" options={reasonOptions} value={reasons} onChange={setReasons} />
        </>
      }
      progress={
        <>
          <BulkProgress kind="mergeContacts" />
          <BulkProgress kind="undoMergeContacts" />
        </>
      }
      list={list}
      shown="pares"
      rowName={nameOf}
      onOpen={(pair) => setMerging(pair)}
      selected={new Set(chosen.map((pair) => pair.id))}
      onSelect={setMarked}
      bulkActions={
        <Group gap="xs">
          {!isApart && (
            <Button size="xs" onClick={() => setMany('chosen')}>
              Unir
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => void decide(chosen, !isApart)}>
            {isApart ? 'Voltar a sugerir' : 'Manter separados'}
          </Button>
        </Group>
      }
      empty={
        isApart
          ? {
              title: 'Nenhum par mantido separado',
              text: 'Quando você diz que dois contatos são pessoas diferentes, eles ficam aqui e não são mais sugeridos.',
            }
          : {
              title: 'Nenhum contato repetido à vista',
              text: 'Comparamos CPF e CNPJ, e-mail, telefone e nome com aniversário ou empresa assim que um contato chega ou muda.',
              action: <GoTo to="/contatos" label="Ver contatos" />,
            }
      }
      under={(pair) => <Reasons pair={pair} />}
      columns={[
        { key: 'pair', label: 'Contatos', render: (pair) => <Pair pair={pair} /> },
        { key: 'reasons', label: 'Por quê', width: 240, wideOnly: true, render: (pair) => <Reasons pair={pair} /> },
        {
          key: 'at',
          label: isApart ? 'Separados' : 'Encontrados',
          width: 170,
          wideOnly: true,
          render: (pair) => (
            <>
              <RelativeTime moment={pair.at} />
              {pair.user && (
                <Text size="xs" c="dimmed" component="div" className="truncate">
                  {pair.user.name}
                </Text>
              )}
            </>
          ),
        },
      ]}
      rowActions={(pair) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <Tooltip label={isApart ? 'Voltar a sugerir' : 'Manter separados'}>
            <ActionIcon
              aria-label={`${isApart ? 'Voltar a sugerir' : 'Manter separados'}: ${nameOf(pair)}`}
              onClick={() => void decide([pair], !isApart)}
            >
              {isApart ? <IconArrowBackUp size={18} stroke={1.75} /> : <IconArrowsSplit2 size={18} stroke={1.75} />}
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Unir">
            <ActionIcon aria-label={`Unir ${nameOf(pair)}`} onClick={() => setMerging(pair)}>
              <IconGitMerge size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </Group>
      )}
    >
      <Suspense fallback={null}>
        {merging && (
          <MergeDialog
            contact={merging.a}
            other={merging.b}
            onClose={() => setMerging(null)}
            onMerged={(kept) => dropContact(cache, kept.id === merging.a.id ? merging.b.id : merging.a.id)}
          />
        )}
        {many && (
          <MergeManyDialog
            pairs={many === 'chosen' ? chosen : undefined}
            reasons={reasons}
            onClose={() => setMany(null)}
            onAsked={(job) => {
              receiveJob(cache, job)
              notify.success(
                many === 'chosen' ? `Unindo ${plural(chosen.length, 'par', 'pares')}.` : 'Unindo os contatos.',
              )
              setMarked(new Set())
            }}
          />
        )}
      </Suspense>
    </ReadingScreen>
  )
}

const Reasons = ({ pair }: { pair: DuplicatePair }) => (
  <>{pair.reasons.map((reason) => duplicateReasonLabels[reason]).join(' · ') || 'União desfeita'}</>
)
