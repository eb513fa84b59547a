import { Button } from '@mantine/core'
import { type Icon, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Page } from '../ui/page.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ViewSwitch } from '../ui/view-switch.tsx'
import { useUrlState } from './url-state.ts'
import { useOpened } from './use-opened.ts'

/** What a view needs of its screen. */
export type ViewAt = {
  opened: string | null
  onOpen: (id: string) => void
  /** A new one, at a day where it was begun from one. */
  onCreate: (day: string | null) => void
  /** For where there is nothing yet. */
  createButton: ReactNode
}
type View = { value: string; label: string; icon: Icon; draw: (at: ViewAt) => ReactNode }
type Props = {
  title: string
  purpose: string
  /** "Criar tarefa"; left out for whoever may not. */
  createLabel?: string
  /** The first is the one a bare address shows. */
  views: readonly [View, ...View[]]
  filters: (view: string) => ReactNode
  /** The drawer of the one that stands open; `novo` is made. */
  form: (asked: { id: string; newAt: string; onClose: () => void }) => ReactNode
}

/** Things one looks at in several ways: list, board, calendar. Which, and what stands open, is in the address. */
export const ViewsScreen = ({ title, purpose, createLabel, views, filters, form }: Props) => {
  const [chosen, setView] = useUrlState('ver', views[0].value)
  const view = views.find(({ value }) => value === chosen) ?? views[0]
  const { opened, newAt, setOpened } = useOpened()
  const createButton = createLabel && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('novo')}>
      {createLabel}
    </Button>
  )
  return (
    <Page
      header={
        <PageHeader title={title} purpose={purpose} actions={createButton}>
          <ViewSwitch
            value={view.value}
            onChange={setView}
            views={views.map((one) => ({ ...one, icon: <one.icon size={16} aria-hidden /> }))}
          />
          {filters(view.value)}
        </PageHeader>
      }
    >
      {view.draw({ opened, onOpen: setOpened, onCreate: (day) => setOpened('novo', day), createButton })}
      {opened && (opened !== 'novo' || createLabel) && form({ id: opened, newAt, onClose: () => setOpened(null) })}
    </Page>
  )
}
