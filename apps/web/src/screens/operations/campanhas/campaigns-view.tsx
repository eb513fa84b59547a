import { campaignStateLabels, campaignStates } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Button } from '@mantine/core'
import { IconCalendar, IconList, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { type CampaignsAsked, exportCampaigns } from '../../../features/operations/campaigns/api.ts'
import { CampaignCalendar } from '../../../features/operations/campaigns/campaign-calendar.tsx'
import { CampaignList } from '../../../features/operations/campaigns/campaign-list.tsx'
import { useBeginCampaign } from '../../../features/operations/campaigns/use-begin-campaign.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatDate } from '../../../kit/format.ts'
import { useChangeParams, useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { ViewSwitch } from '../../../ui/view-switch.tsx'

const stateOptions = campaignStates.map((value) => ({ value: value as string, label: campaignStateLabels[value] }))

export const CampaignsView = () => {
  const navigate = useNavigate()
  const change = useChangeParams()
  const mayWrite = useCan('campaigns.write')
  const begin = useBeginCampaign()
  const connections = useQuery(connectionList).data ?? []
  const [view, setView] = useUrlState('ver', 'lista')
  const [search, setSearch] = useUrlState('busca')
  const [states, setStates] = useUrlList('situacao')
  const [channels, setChannels] = useUrlList('canal')
  const [period, setPeriod] = usePeriod()
  const [busy, setBusy] = useState(false)
  const asked: CampaignsAsked = {
    searchParam: search,
    state: campaignStates.filter((one) => states.includes(one)),
    connectionId: channels,
    ...(period.from && { dateFrom: period.from }),
    ...(period.to && { dateTo: period.to }),
  }
  const open = (id: string) => void navigate(`/campanhas/${id}`)
  const handleCreate = async () => {
    setBusy(true)
    try {
      const made = await begin({ name: `Campanha de ${formatDate(new Date())}` })
      open(made.id)
    } catch (error) {
      notify.error(reasonOf(error))
      setBusy(false)
    }
  }
  const createButton = mayWrite && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} loading={busy} onClick={() => void handleCreate()}>
      Criar campanha
    </Button>
  )
  return (
    <Page
      header={
        <PageHeader
          title="Campanhas"
          purpose="Mensagens para muita gente, no ritmo certo, com freio e com resultado."
          actions={
            <>
              {view === 'lista' && <ExportButton onExport={() => exportCampaigns(asked)} />}
              {createButton}
            </>
          }
        >
          <ViewSwitch
            value={view}
            onChange={setView}
            views={[
              { value: 'lista', label: 'Lista', icon: <IconList size={16} aria-hidden /> },
              { value: 'mes', label: 'Mês', icon: <IconCalendar size={16} aria-hidden /> },
            ]}
          />
          <SearchInput label="Buscar campanha" value={search} onSearch={setSearch} w={220} />
          <FilterMenu label="Situação" options={stateOptions} value={states} onChange={setStates} />
          <FilterMenu
            label="Canal"
            options={connections.map(({ id, name }) => ({ value: id, label: name }))}
            value={channels}
            onChange={setChannels}
          />
          {view === 'lista' && <PeriodFilter label="Dias" value={period} onChange={setPeriod} />}
        </PageHeader>
      }
    >
      <BulkProgress kind="exportCampaigns" />
      {view === 'mes' ? (
        <CampaignCalendar
          asked={asked}
          onOpen={open}
          onShowDay={(day) =>
            change((params) => {
              params.delete('ver')
              params.set('de', day)
              params.set('ate', day)
            })
          }
        />
      ) : (
        <CampaignList
          asked={asked}
          isFiltered={Boolean(search || states.length || channels.length || period.from || period.to)}
          onClear={() =>
            change((params) => {
              for (const name of ['busca', 'situacao', 'canal', 'de', 'ate']) params.delete(name)
            })
          }
          onOpen={open}
          empty={{
            title: 'Nenhuma campanha ainda',
            text: 'Escolha um público, escreva a mensagem, ensaie e acompanhe quem leu e quem respondeu.',
            action: createButton,
          }}
        />
      )}
    </Page>
  )
}
