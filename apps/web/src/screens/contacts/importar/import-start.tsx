import type { ContactImport } from '@balcao/contract/contacts/imports.ts'
import { Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { importList } from '../../../features/contacts/imports/api.ts'
import { importState } from '../../../features/contacts/imports/words.ts'
import { formatNumber } from '../../../kit/format.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { DropArea } from './drop-area.tsx'
import classes from './importar.module.css'

/** Where a file is dropped, and what was imported before. */
export const ImportStart = ({ onOpen }: { onOpen: (id: string) => void }) => {
  const list = useInfiniteQuery(importList)
  return (
    <div className={classes.start}>
      <DropArea onOpen={onOpen} />
      <section aria-label="Importações anteriores" className={classes.past}>
        <Title order={2} size="h4">
          Importações anteriores
        </Title>
        <PagedTable
          list={list}
          label="Importações anteriores"
          columns={columns}
          rowName={({ name }) => name}
          under={(one) => importState(one)}
          onOpen={({ id }) => onOpen(id)}
          shown="exibidas"
          filtered={false}
          empty={{
            title: 'Nenhuma importação ainda',
            text: 'Solte uma planilha acima. A primeira linha deve dizer o que é cada coluna: nome, telefone, e-mail…',
          }}
        />
      </section>
    </div>
  )
}

const columns: Column<ContactImport>[] = [
  { key: 'name', label: 'De onde', render: ({ name }) => <span className="truncate">{name}</span> },
  { key: 'state', label: 'Situação', wideOnly: true, render: importState },
  {
    key: 'total',
    label: 'Linhas',
    width: 100,
    align: 'right',
    wideOnly: true,
    render: ({ total }) => formatNumber(total),
  },
  {
    key: 'user',
    label: 'Quem',
    width: 180,
    wideOnly: true,
    render: ({ user }) => <span className="truncate">{user.name}</span>,
  },
  { key: 'createdAt', label: 'Quando', width: 130, render: ({ createdAt }) => <RelativeTime moment={createdAt} /> },
]
