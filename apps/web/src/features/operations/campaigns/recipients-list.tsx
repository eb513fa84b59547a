import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { skipReasonKeys, skipReasons, skipText } from '@balcao/contract/operations/campaigns/audience.ts'
import {
  type Campaign,
  type CampaignRecipient,
  recipientStateLabels,
  recipientStates,
} from '@balcao/contract/operations/campaigns/campaigns.ts'
import { variantNames } from '@balcao/contract/operations/campaigns/content.ts'
import { variableLabel } from '@balcao/contract/variables.ts'
import { ActionIcon, Button, Group, Menu, Tooltip } from '@mantine/core'
import { IconDownload, IconMessages, IconUserMinus } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { reasonOf } from '../../../kit/api-error.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useChangeParams, useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import type { Column } from '../../../ui/data-table.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { notify } from '../../../ui/notify.ts'
import { SearchInput } from '../../../ui/search-input.tsx'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import { receiveJob } from '../../conversations/tickets/bulk-api.ts'
import { BulkProgress } from '../jobs/bulk-progress.tsx'
import { exportRecipients, type RecipientsAsked, recipientList, removeRecipient } from './api.ts'
import { sendsOf } from './words.ts'

const tones: Record<CampaignRecipient['state'], StatusTone> = {
  waiting: 'waiting',
  skipped: 'quiet',
  written: 'note',
  sent: 'note',
  delivered: 'good',
  read: 'good',
  failed: 'bad',
  uncertain: 'waiting',
}
const stateOptions = recipientStates.map((value) => ({ value: value as string, label: recipientStateLabels[value] }))
const reasonOptions = skipReasonKeys.map((value) => ({ value: value as string, label: skipReasons[value] }))
const answeredOptions = [
  { value: 'yes', label: 'Responderam' },
  { value: 'no', label: 'Não responderam' },
  { value: 'saiu', label: 'Pediram para sair' },
  { value: 'reclamou', label: 'Reclamaram' },
]
const orderOptions = [
  { value: 'abriu', label: 'Com oportunidade' },
  { value: 'ganhou', label: 'Com oportunidade ganha' },
]
/** What the list is narrowed to, by its name in the address. */
export const recipientFilters = [
  'busca',
  'situacao',
  'respondeu',
  'funil',
  'motivo',
  'falta',
  'erro',
  'envio',
  'canal',
] as const

/** Everybody it is about, and what became of each. */
export const RecipientsList = ({ campaign }: { campaign: Campaign }) => {
  const cache = useQueryClient()
  const change = useChangeParams()
  const mayWrite = useCan('campaigns.write')
  const [search, setSearch] = useUrlState('busca')
  const [states, setStates] = useUrlList('situacao')
  const [answered, setAnswered] = useUrlState('respondeu')
  const [ordered, setOrdered] = useUrlState('funil')
  const [reasons, setReasons] = useUrlList('motivo')
  const [lacking, setLacking] = useUrlState('falta')
  const [failure, setFailure] = useUrlState('erro')
  const [send, setSend] = useUrlState('envio')
  const [connectionId, setConnection] = useUrlState('canal')
  const sends = sendsOf(campaign)
  const isOfThis = ({ subjectId }: BulkJob) => subjectId === campaign.id
  const [step, variant] = sends.find(({ value }) => value === send)?.of ?? []
  const asked: RecipientsAsked = {
    searchParam: search,
    state: recipientStates.filter((one) => states.includes(one)),
    reason: skipReasonKeys.filter((one) => reasons.includes(one)),
    ...(lacking && { missing: lacking }),
    ...(step !== undefined && { step, variant }),
    ...((answered === 'yes' || answered === 'no') && { answered }),
    ...(answered === 'saiu' && { optedOut: 'yes' as const }),
    ...(answered === 'reclamou' && { complained: 'yes' as const }),
    ...(ordered === 'abriu' && { orders: 'created' as const }),
    ...(ordered === 'ganhou' && { orders: 'won' as const }),
    ...(connectionId && { connectionId }),
    ...(failure && { error: failure }),
  }
  const list = useInfiniteQuery(recipientList(campaign.id, asked))
  const isFiltered = Boolean(
    search || states.length || answered || ordered || reasons.length || lacking || failure || send || connectionId,
  )
  const clear = () =>
    change(
      (params) => {
        for (const name of recipientFilters) params.delete(name)
      },
      { replace: true },
    )
  const handleExport = async (format: 'csv' | 'xlsx') => {
    try {
      receiveJob(cache, await exportRecipients(campaign.id, { ...asked, format }))
    } catch (error) {
      notify.error(reasonOf(error))
    }
  }
  const handleRemove = async ({ contact }: CampaignRecipient) => {
    try {
      await removeRecipient(campaign.id, contact.id)
      void cache.invalidateQueries({ queryKey: ['campaignRecipients', campaign.id] })
      notify.success(`${contact.name} não vai receber.`)
    } catch (error) {
      notify.error(reasonOf(error))
    }
  }
  const columns: Column<CampaignRecipient>[] = [
    {
      key: 'contact',
      label: 'Contato',
      fills: true,
      render: ({ contact }) => <span className="truncate">{contact.name}</span>,
    },
    {
      key: 'state',
      label: 'Situação',
      wideOnly: true,
      render: (one) => (
        <span title={stateText(one)}>
          <StatusDot tone={one.optedOutAt ? 'quiet' : tones[one.state]} label={stateText(one)} />
        </span>
      ),
    },
    {
      key: 'connection',
      label: 'Canal',
      wideOnly: true,
      width: 160,
      render: ({ connection }) => <span className="truncate">{connection?.name ?? '—'}</span>,
    },
    ...(sends.length > 1
      ? [
          {
            key: 'variant',
            label: 'Envio',
            wideOnly: true,
            width: 90,
            render: ({ step, variant }: CampaignRecipient) =>
              `${step + 1}${variant === null ? '' : ` · ${variantNames[variant]}`}`,
          },
        ]
      : []),
    {
      key: 'at',
      label: 'Quando',
      wideOnly: true,
      width: 130,
      render: ({ sentAt }) => (sentAt ? <RelativeTime moment={sentAt} /> : '—'),
    },
  ]
  return (
    <>
      <Group gap="xs">
        <SearchInput label="Buscar por nome ou número" value={search} onSearch={setSearch} w={260} />
        <FilterMenu label="Situação" options={stateOptions} value={states} onChange={setStates} />
        <FilterMenu
          label="Resposta"
          options={answeredOptions}
          value={answered ? [answered] : []}
          onChange={(next) => setAnswered(next.at(-1) ?? '')}
        />
        {ordered && (
          <FilterMenu
            label="Funil"
            options={orderOptions}
            value={[ordered]}
            onChange={(next) => setOrdered(next.at(-1) ?? '')}
          />
        )}
        {sends.length > 1 && (
          <FilterMenu
            label="Envio"
            options={sends}
            value={send ? [send] : []}
            onChange={(next) => setSend(next.at(-1) ?? '')}
          />
        )}
        {(campaign.connections.length > 1 || connectionId) && (
          <FilterMenu
            label="Canal"
            options={campaign.connections.map(({ id, name }) => ({ value: id, label: name }))}
            value={connectionId ? [connectionId] : []}
            onChange={(next) => setConnection(next.at(-1) ?? '')}
          />
        )}
        {(states.includes('skipped') || reasons.length > 0) && (
          <FilterMenu label="Motivo" options={reasonOptions} value={reasons} onChange={setReasons} />
        )}
        {lacking && (
          <FilterMenu
            label="Falta"
            options={[{ value: lacking, label: variableLabel(lacking) }]}
            value={[lacking]}
            onChange={(next) => setLacking(next.at(-1) ?? '')}
          />
        )}
        {failure && (
          <FilterMenu
            label="Erro"
            options={[{ value: failure, label: failure }]}
            value={[failure]}
            onChange={(next) => setFailure(next.at(-1) ?? '')}
          />
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
              Exportar
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void handleExport('csv')}>CSV</Menu.Item>
            <Menu.Item onClick={() => void handleExport('xlsx')}>Excel (XLSX)</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <BulkProgress kind="exportCampaignRecipients" only={isOfThis} />
      <BulkProgress kind="exportCampaignRecipientsXlsx" only={isOfThis} />
      <PagedTable
        list={list}
        label="Destinatários"
        columns={columns}
        rowName={({ contact }) => contact.name}
        under={(one) => [stateText(one), one.connection?.name].filter(Boolean).join(' · ')}
        filtered={
          isFiltered && { title: 'Ninguém com estes filtros', text: 'Mude a busca ou os filtros.', onClear: clear }
        }
        empty={{ title: 'Ninguém ainda', text: 'Os destinatários aparecem aqui quando a campanha começa.' }}
        rowActions={(one) => (
          <>
            {one.ticketId && (
              <Tooltip label="Abrir a conversa">
                <ActionIcon
                  component={Link}
                  to={`/atendimento/${one.ticketId}`}
                  aria-label={`Abrir a conversa de ${one.contact.name}`}
                >
                  <IconMessages size={18} stroke={1.75} />
                </ActionIcon>
              </Tooltip>
            )}
            {one.state === 'waiting' && mayWrite && (
              <Tooltip label="Retirar">
                <ActionIcon aria-label={`Retirar ${one.contact.name}`} onClick={() => void handleRemove(one)}>
                  <IconUserMinus size={18} stroke={1.75} />
                </ActionIcon>
              </Tooltip>
            )}
          </>
        )}
      />
    </>
  )
}

const stateText = ({ state, reason, missing, error, answeredAt, optedOutAt }: CampaignRecipient): string => {
  if (optedOutAt) return 'Pediu para sair'
  if (answeredAt) return 'Respondeu'
  if (state === 'skipped' && reason) return skipText({ reason, missing })
  return error && (state === 'failed' || state === 'uncertain') ? error : recipientStateLabels[state]
}
