import { templateCategoryLabels } from '@balcao/contract/channels/template-text.ts'
import type { MessageTemplate } from '@balcao/contract/channels/templates.ts'
import { Button, Select, UnstyledButton } from '@mantine/core'
import { IconRefresh, IconSearchOff, IconTemplate } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { useCan } from '../../../kit/use-can.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SearchInput } from '../../../ui/search-input.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { syncedText, templateList, useSyncTemplates } from './api.ts'
import { categoryLabel } from './category.ts'
import classes from './template-dialog.module.css'

type Props = {
  connectionId: string
  chosen: MessageTemplate | null
  onChoose: (template: MessageTemplate) => void
  /** The keyboard begins in its search. */
  isFirst?: boolean
}

/** The approved templates of a connection; whoever administers it may ask the provider again. */
export const TemplateList = ({ connectionId, chosen, onChoose, isFirst }: Props) => {
  const [search, setSearch] = useState('')
  const [category, setCategory] = useState<string | null>(null)
  const list = useInfiniteQuery({
    ...templateList({ connectionId, searchParam: search, category }),
    placeholderData: keepRows,
  })
  const templates = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section className={classes.list} aria-label="Modelos aprovados">
      <div className={classes.filters}>
        <SearchInput label="Buscar modelo" value={search} onSearch={setSearch} w="100%" isFirst={isFirst} />
        <Select
          aria-label="Categoria"
          placeholder="Todas as categorias"
          clearable
          data={Object.entries(templateCategoryLabels).map(([value, label]) => ({ value, label }))}
          value={category}
          onChange={setCategory}
        />
      </div>
      {list.isPending ? (
        <SkeletonList rows={5} height={64} />
      ) : list.isError && templates.length === 0 ? (
        <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : templates.length === 0 ? (
        search || category ? (
          <EmptyState icon={<IconSearchOff size={26} stroke={1.5} />} title="Nenhum modelo encontrado">
            Tente outra palavra ou outra categoria.
          </EmptyState>
        ) : (
          <EmptyState
            icon={<IconTemplate size={26} stroke={1.5} />}
            title="Nenhum modelo aprovado"
            action={<SyncButton connectionId={connectionId} />}
          >
            Quem administra escreve os modelos em Configurações, Modelos de mensagem. Eles aparecem aqui depois de
            aprovados pela Meta.
          </EmptyState>
        )
      ) : (
        <>
          <ul className={classes.rows}>
            {templates.map((template) => (
              <li key={template.id}>
                <UnstyledButton
                  className={classes.row}
                  aria-pressed={chosen?.id === template.id}
                  onClick={() => onChoose(template)}
                >
                  <span className={classes.name}>{template.name.replaceAll('_', ' ')}</span>
                  <span className={classes.sample}>{template.shape?.body.text ?? template.obstacle}</span>
                  <span className={classes.kind}>
                    {categoryLabel(template.category)} · {template.language}
                  </span>
                </UnstyledButton>
              </li>
            ))}
          </ul>
          {list.hasNextPage && (
            <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Carregar mais
            </Button>
          )}
          <SyncButton connectionId={connectionId} />
        </>
      )}
    </section>
  )
}

const SyncButton = ({ connectionId }: { connectionId: string }) => {
  const canSync = useCan('templates.write')
  const sync = useSyncTemplates()
  if (!canSync) return null
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<IconRefresh size={15} aria-hidden />}
      loading={sync.isPending}
      onClick={() =>
        sync.mutate(connectionId, {
          onSuccess: (outcome) => notify.success(syncedText(outcome)),
          onError: (error) => notify.error(messageOf(error)),
        })
      }
    >
      Atualizar modelos
    </Button>
  )
}
