import type { BoardKind } from '@balcao/contract/contacts/board.ts'
import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { Button } from '@mantine/core'
import { IconLayoutKanban, IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from 'react-router'
import { SegmentFilter } from '../../../features/contacts/segments/segment-filter.tsx'
import { userOptions } from '../../../features/people/users/api.ts'
import { ContactBoard } from '../../../features/workspace/contact-board/contact-board.tsx'
import { allRows } from '../../../kit/resource-api.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { ViewSwitch } from '../../../ui/view-switch.tsx'

const views = [
  { value: 'kanbans', label: 'Por etapa', icon: <IconLayoutKanban size={16} aria-hidden /> },
  { value: 'tags', label: 'Por etiqueta', icon: <IconTag size={16} aria-hidden /> },
]

/** The board of contacts; each kind of column has its own address. */
export const ContactBoardScreen = ({ by }: { by: BoardKind }) => {
  const navigate = useNavigate()
  const { search } = useLocation()
  const mayDefine = useCan('lanes.write')
  const [searchParam, setSearch] = useUrlState('busca', '')
  const [tagIds, setTagIds] = useUrlList('etiqueta')
  const [walletIds, setWalletIds] = useUrlList('carteira')
  const [segmentId, setSegment] = useUrlState('segmento')
  const tags = useQuery(allRows<Tag>(tagResource))
  const people = useQuery(userOptions)
  return (
    <Page
      header={
        <PageHeader
          title="Quadro de contatos"
          purpose={`${by === 'kanban' ? 'Em que etapa está cada contato.' : 'Quem tem cada etiqueta.'} Arraste um cartão para mudar de coluna.`}
          actions={
            by === 'kanban' &&
            mayDefine && (
              <Button component={Link} to="/lanes" variant="default">
                Etapas
              </Button>
            )
          }
        >
          <ViewSwitch
            value={by === 'kanban' ? 'kanbans' : 'tags'}
            onChange={(view) => void navigate({ pathname: `/kanban/${view}`, search })}
            views={views}
          />
          <SearchInput label="Buscar no quadro" value={searchParam} onSearch={setSearch} w={220} />
          {by === 'kanban' && (
            <FilterMenu
              label="Etiquetas"
              options={(tags.data ?? []).map(({ id, name, color }) => ({
                value: id,
                label: name,
                mark: <ColorDot color={color} />,
              }))}
              value={tagIds}
              onChange={setTagIds}
            />
          )}
          <SegmentFilter value={segmentId} onChange={setSegment} />
          <FilterMenu
            label="Carteira"
            options={(people.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={walletIds}
            onChange={setWalletIds}
          />
        </PageHeader>
      }
    >
      <ContactBoard
        asked={{ by, searchParam, tagIds: by === 'kanban' ? tagIds : [], walletIds, segmentId: segmentId || undefined }}
      />
    </Page>
  )
}
