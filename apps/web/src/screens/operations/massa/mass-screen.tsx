import type { Connection } from '@balcao/contract/channels/connections.ts'
import { reachedBy } from '@balcao/contract/channels/index.ts'
import type { CampaignOrigin, CampaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { createDrawer } from '../../../features/conversations/messages/drawer.ts'
import { campaignQuery } from '../../../features/operations/campaigns/api.ts'
import { CampaignEditor } from '../../../features/operations/campaigns/campaign-editor.tsx'
import { CampaignList } from '../../../features/operations/campaigns/campaign-list.tsx'
import { useBeginCampaign } from '../../../features/operations/campaigns/use-begin-campaign.ts'
import { isBeingWritten } from '../../../features/operations/campaigns/words.ts'
import { messageOf, reasonOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'

type Props = {
  origin: CampaignOrigin
  title: string
  purpose: string
  /** What one of them is called: "SMS de 24/11/2026 10:00". */
  noun: string
  fits: (connection: Connection) => boolean
  onlyTemplate?: boolean
  /** What to do where no channel fits. */
  withoutChannel: string
}

/** A send of now: what was sent before, and the short form of a new one, in which the last choices stand. */
export const MassScreen = ({ origin, title, purpose, noun, fits, onlyTemplate, withoutChannel }: Props) => {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const mayWrite = useCan('campaigns.write')
  const mayConnect = useCan('connections.write')
  const begin = useBeginCampaign()
  const connections = useQuery(connectionList)
  const { opened, setOpened } = useOpened('envio')
  const [search, setSearch] = useUrlState('busca')
  const [busy, setBusy] = useState(false)
  const draft = useQuery({ ...campaignQuery(opened ?? ''), enabled: Boolean(opened) })
  const able = connections.data?.filter(fits) ?? []
  const handleCreate = async () => {
    setBusy(true)
    try {
      // Whoever is faster than the list of channels gets one chosen all the same.
      const able = (await cache.ensureQueryData(connectionList)).filter(fits)
      const last = readLast(origin)
      const ids = last?.connectionIds?.filter((id) => able.some((one) => one.id === id)) ?? []
      // What is pasted are numbers. A mail asks for a subject: where words are meant, it is chosen, not given.
      const first =
        able.find((one) => one.status === 'CONNECTED' && reachesNumbers(one)) ??
        able.find(reachesNumbers) ??
        able.find(({ abilities }) => !abilities.supports.includes('mail')) ??
        able[0]
      const made = await begin({
        ...last,
        origin,
        name: `${noun} de ${formatDateTime(new Date())}`,
        connectionIds: ids.length || !first ? ids : [first.id],
      })
      setOpened(made.id)
    } catch (error) {
      notify.error(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  /** A send of what nothing can carry would only be written to be refused. */
  const hasNone = connections.isSuccess && able.length === 0
  const createButton = hasNone ? (
    mayConnect && <GoTo to="/sessoes?registro=novo" label="Conectar um canal" />
  ) : mayWrite ? (
    <Button leftSection={<IconPlus size={18} aria-hidden />} loading={busy} onClick={() => void handleCreate()}>
      Novo envio
    </Button>
  ) : undefined
  const campaign = opened ? draft.data : undefined
  if (campaign && !isBeingWritten(campaign)) {
    keepLast(origin, { connectionIds: campaign.connectionIds, pace: campaign.pace, window: campaign.window })
  }
  return (
    <Page
      header={
        <PageHeader
          title={title}
          purpose={hasNone ? withoutChannel : purpose}
          actions={opened ? undefined : createButton}
        >
          {opened ? (
            <Button variant="default" size="compact-sm" onClick={() => setOpened(null)}>
              Ver envios anteriores
            </Button>
          ) : (
            <SearchInput label="Buscar envio" value={search} onSearch={setSearch} w={240} />
          )}
        </PageHeader>
      }
    >
      {opened ? (
        draft.isError ? (
          <ErrorState message={messageOf(draft.error)} onRetry={() => void draft.refetch()} />
        ) : campaign ? (
          isBeingWritten(campaign) ? (
            <CampaignEditor key={campaign.id} campaign={campaign} isPlain onlyTemplate={onlyTemplate} fits={fits} />
          ) : (
            <Started onShow={() => void navigate(`/campanhas/${campaign.id}`)} onNew={() => setOpened(null)} />
          )
        ) : (
          <SkeletonList />
        )
      ) : (
        <CampaignList
          asked={{ origin: [origin], searchParam: search }}
          isFiltered={search !== ''}
          onClear={() => setSearch('')}
          onOpen={(id) => void navigate(`/campanhas/${id}`)}
          empty={{
            title: 'Nenhum envio ainda',
            text: hasNone
              ? 'Depois de conectar um canal, cole os números ou escolha um público, escreva e envie.'
              : 'Cole os números ou escolha um público, escreva e envie.',
            action: createButton,
          }}
        />
      )}
    </Page>
  )
}

const reachesNumbers = ({ kind, abilities }: Connection) => reachedBy(kind, abilities).includes('phone')

const Started = ({ onShow, onNew }: { onShow: () => void; onNew: () => void }) => (
  <div role="status">
    <p>O envio começou. Ele segue mesmo que você feche esta página.</p>
    <Button onClick={onShow}>Acompanhar</Button>{' '}
    <Button variant="default" onClick={onNew}>
      Ver todos
    </Button>
  </div>
)

type Last = Pick<CampaignPatch, 'connectionIds' | 'pace' | 'window'>
const drawer = createDrawer('massa-ultima')
const keepLast = (origin: CampaignOrigin, last: Last) => drawer.write(origin, last)
const readLast = (origin: CampaignOrigin) => drawer.read(origin) as Last | null // written above; the server checks it
