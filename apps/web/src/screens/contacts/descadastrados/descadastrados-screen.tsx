import { channelKinds, channels } from '@balcao/contract/channels/index.ts'
import { consentSourceLabels, type OptOut, purposeLabels, refusable } from '@balcao/contract/contacts/consent.ts'
import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconMessage2Cog, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { exportOptOuts, optOutsList } from '../../../features/contacts/consent/api.ts'
import { identityText, toldBy, whoIs } from '../../../features/contacts/consent/opt-out-words.ts'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useGo } from '../../../kit/use-go.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import classes from './descadastrados-screen.module.css'

const GiveBackDialog = lazy(async () => ({
  default: (await import('../../../features/contacts/consent/give-back-dialog.tsx')).GiveBackDialog,
}))
const SuppressionDrawer = lazy(async () => ({
  default: (await import('../../../features/contacts/consent/suppression-drawer.tsx')).SuppressionDrawer,
}))

/** Those a list of phones and e-mails speaks of. */
const reachable = channelKinds.filter((kind) => {
  const { identities } = channels[kind]
  return 'phone' in identities || 'email' in identities
})
const channelOptions = channelKinds.map((value) => ({ value, label: channels[value].label }))
const purposeOptions = refusable.map((value) => ({ value, label: purposeLabels[value] }))
const sources = ['word', 'person', 'csv', 'form', 'api'] as const
const sourceOptions = sources.map((value) => ({ value, label: consentSourceLabels[value] }))

export default function DescadastradosScreen() {
  const cache = useQueryClient()
  const go = useGo()
  const [searchParam] = useUrlState('busca')
  const [channel, setChannel] = useUrlList('canal')
  const [purposes, setPurposes] = useUrlList('oque')
  const [source, setSource] = useUrlList('como')
  const mayNote = useCan('contacts.write')
  const mayExport = useCan('contacts.export')
  const mayImport = useCan('contacts.consent')
  const mayWord = useCan('settings.write')
  const query = { searchParam, channels: channel, purposes, sources: source }
  const list = useInfiniteQuery({ ...optOutsList(query), placeholderData: keepRows })
  const connections = useQuery({ ...connectionList, enabled: mayImport })
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [returning, setReturning] = useState<readonly OptOut[] | null>(null)
  const [isImporting, setImporting] = useState(false)
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const chosen = rows.filter((row) => marked.has(row.id))
  const importButton = mayImport && (
    <Button leftSection={<IconUpload size={18} aria-hidden />} onClick={() => setImporting(true)}>
      Importar lista
    </Button>
  )
  return (
    <ReadingScreen<OptOut>
      title="Descadastrados"
      purpose="Quem pediu para não receber campanhas ou pesquisas. O atendimento continua normal."
      actions={
        <>
          {mayExport && <ExportButton onExport={() => exportOptOuts(query)} />}
          {mayWord && (
            <Tooltip label="Palavras e respostas">
              <ActionIcon
                component={Link}
                to="/configuracoes/descadastro"
                variant="default"
                size={36}
                aria-label="Palavras e respostas"
              >
                <IconMessage2Cog size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          )}
          {importButton}
        </>
      }
      searchLabel="Buscar nome, telefone ou e-mail"
      filters={
        <>
          <FilterMenu label="Canal" options={channelOptions} value={channel} onChange={setChannel} />
          <FilterMenu label="Não quer" options={purposeOptions} value={purposes} onChange={setPurposes} />
          <FilterMenu label="Como" options={sourceOptions} value={source} onChange={setSource} />
        </>
      }
      progress={
        <>
          <BulkProgress kind="importOptOuts" />
          <BulkProgress kind="undoOptOuts" />
          <BulkProgress kind="exportOptOuts" />
        </>
      }
      list={list}
      rowName={whoIs}
      onOpen={(row, event) => row.contact && go(`/contatos?registro=${row.contact.id}`, event)}
      selected={mayNote ? new Set(chosen.map((row) => row.id)) : undefined}
      onSelect={mayNote ? setMarked : undefined}
      bulkActions={
        <Button size="xs" disabled={chosen.length > 100} onClick={() => setReturning(chosen)}>
          Voltar a enviar
        </Button>
      }
      empty={{
        title: 'Ninguém pediu para sair',
        text: 'Quando um cliente escreve SAIR, ou alguém da equipe anota o pedido no contato, ele aparece aqui.',
        action: importButton,
      }}
      under={(row) => (
        <>
          {channels[row.channel].label} · {toldBy(row)} · <RelativeTime moment={row.at} />
        </>
      )}
      columns={[
        {
          key: 'who',
          label: 'Contato',
          render: (row) => (
            <span className={classes.who}>
              <span className="truncate">{whoIs(row)}</span>
              <Text size="xs" c="dimmed" component="span" className="truncate">
                {row.contact
                  ? identityText(row.contact.number ? { kind: 'phone', value: row.contact.number } : row.identity)
                  : 'Ainda não é contato'}
              </Text>
            </span>
          ),
        },
        { key: 'channel', label: 'Canal', width: 170, wideOnly: true, render: (row) => channels[row.channel].label },
        {
          key: 'purposes',
          label: 'Não quer receber',
          width: 220,
          wideOnly: true,
          render: (row) => <Refused row={row} />,
        },
        {
          key: 'proof',
          label: 'Como pediu',
          wideOnly: true,
          render: (row) => (
            <span className={classes.proof} title={row.proof}>
              {toldBy(row)}
            </span>
          ),
        },
        { key: 'at', label: 'Quando', width: 130, wideOnly: true, render: (row) => <RelativeTime moment={row.at} /> },
      ]}
      rowActions={
        mayNote
          ? (row) => (
              <Tooltip label="Voltar a enviar">
                <ActionIcon aria-label={`Voltar a enviar para ${whoIs(row)}`} onClick={() => setReturning([row])}>
                  <IconArrowBackUp size={18} stroke={1.75} />
                </ActionIcon>
              </Tooltip>
            )
          : undefined
      }
    >
      <Suspense fallback={null}>
        {returning && (
          <GiveBackDialog rows={returning} onClose={() => setReturning(null)} onDone={() => setMarked(new Set())} />
        )}
        {isImporting && (
          <SuppressionDrawer
            used={reachable.filter((kind) => connections.data?.some((one) => one.kind === kind))}
            onAsked={(job) => receiveJob(cache, job)}
            onClose={() => setImporting(false)}
          />
        )}
      </Suspense>
    </ReadingScreen>
  )
}

const Refused = ({ row }: { row: OptOut }) => (
  <>
    {row.purposes.map((purpose) => (
      <div key={purpose}>{purposeLabels[purpose]}</div>
    ))}
  </>
)
