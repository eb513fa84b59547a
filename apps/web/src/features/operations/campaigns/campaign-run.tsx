import type { ReceiptKind } from '@balcao/contract/channels/abilities.ts'
import { skipText } from '@balcao/contract/operations/campaigns/audience.ts'
import type { Campaign, CampaignReport } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { variantNames } from '@balcao/contract/operations/campaigns/content.ts'
import { Alert, Anchor, Button, List, Text, Title } from '@mantine/core'
import { IconFlag, IconPencil, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { isApiError, messageOf, reasonOf } from '../../../kit/api-error.ts'
import { dayOf, formatCents, formatDateTime, formatNumber, formatTime, plural } from '../../../kit/format.ts'
import { useChangeParams } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { actOnCampaign, type CampaignAct, campaignQuery, campaignReport } from './api.ts'
import { AudienceFields } from './audience-fields.tsx'
import { CampaignContents } from './campaign-contents.tsx'
import { CampaignProgress } from './campaign-progress.tsx'
import { CampaignSettings } from './campaign-settings.tsx'
import classes from './campaigns.module.css'
import { RecipientsList, recipientFilters } from './recipients-list.tsx'
import { formatCost, isBeingWritten, isUnderWay, percentOf, stateLabelOf, whoTells } from './words.ts'

// Charts are heavy, and only who looks at numbers needs them.
const LineChart = lazy(async () => ({ default: (await import('../../../ui/line-chart.tsx')).LineChart }))

/** What can be done now with a campaign that is under way. */
export const CampaignActions = ({ campaign }: { campaign: Campaign }) => {
  const cache = useQueryClient()
  const mayWrite = useCan('campaigns.write')
  const [busy, setBusy] = useState<CampaignAct | null>(null)
  const [asks, setAsks] = useState<'cancel' | 'withdraw' | null>(null)
  const act = async (what: CampaignAct, told: string) => {
    setBusy(what)
    try {
      cache.setQueryData(campaignQuery(campaign.id).queryKey, await actOnCampaign(campaign.id, what))
      notify.success(told)
    } catch (error) {
      if (isApiError(error, 'ERR_INVALID_TRANSITION')) await tellState()
      else notify.error(reasonOf(error))
    } finally {
      setBusy(null)
      setAsks(null)
    }
  }
  /** In another window somebody was quicker, maybe with the very same. */
  const tellState = async () => {
    const now = await cache.fetchQuery({ ...campaignQuery(campaign.id), staleTime: 0 }).catch(() => undefined)
    notify.info(
      now
        ? `A campanha já mudou em outra janela: ${stateLabelOf(now).toLowerCase()}.`
        : 'A campanha já mudou em outra janela.',
    )
  }
  if (!mayWrite || !isUnderWay(campaign)) return null
  const isCanary = campaign.state === 'paused' && campaign.pause?.code === 'canary'
  return (
    <>
      {campaign.state === 'paused' ? (
        <Button
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          loading={busy !== null}
          onClick={() => void act(isCanary ? 'proceed' : 'resume', 'A campanha segue.')}
        >
          {isCanary ? 'Seguir com o resto' : 'Retomar'}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={18} aria-hidden />}
          loading={busy === 'pause'}
          onClick={() => void act('pause', 'Campanha pausada.')}
        >
          Pausar
        </Button>
      )}
      {campaign.startedAt === null && (
        <Button
          variant="default"
          leftSection={<IconPencil size={18} aria-hidden />}
          onClick={() => setAsks('withdraw')}
        >
          Alterar
        </Button>
      )}
      <CampaignSettings campaign={campaign} />
      {campaign.audience.takesLate && (campaign.state === 'running' || campaign.state === 'paused') && (
        <Button
          variant="default"
          leftSection={<IconFlag size={18} aria-hidden />}
          loading={busy === 'finish'}
          onClick={() => void act('finish', 'Campanha encerrada.')}
        >
          Encerrar
        </Button>
      )}
      <Button variant="default" leftSection={<IconX size={18} aria-hidden />} onClick={() => setAsks('cancel')}>
        Cancelar
      </Button>
      <ConfirmDialog
        opened={asks === 'withdraw'}
        title="Alterar esta campanha?"
        confirmLabel="Alterar"
        busy={busy === 'withdraw'}
        onConfirm={() => void act('withdraw', 'Voltou a ser um rascunho.')}
        onClose={() => setAsks(null)}
      >
        Ela deixa de estar programada e volta a ser um rascunho. Depois de alterar, agende de novo.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asks === 'cancel'}
        title="Cancelar esta campanha?"
        confirmLabel="Cancelar a campanha"
        cancelLabel="Voltar"
        tone="danger"
        busy={busy === 'cancel'}
        onConfirm={() => void act('cancel', 'Campanha cancelada.')}
        onClose={() => setAsks(null)}
      >
        Quem ainda não recebeu não recebe mais. O que já saiu fica como está.
      </ConfirmDialog>
    </>
  )
}

/** A campaign that has begun: how it fares, what stopped it, and what became of each. */
export const CampaignRun = ({ campaign }: { campaign: Campaign }) => {
  const report = useQuery(campaignReport(campaign.id))
  const { numbers, pause, hold, state } = campaign
  const show = useShowRecipients()
  if (state === 'scheduled' || isBeingWritten(campaign))
    return (
      <div className={classes.run}>
        <Text>
          {state === 'scheduled'
            ? `Sai por ${campaign.connections.map(({ name }) => name).join(', ')}. O público é reunido na hora de começar.`
            : 'Ainda não começou: ninguém recebeu nada.'}
        </Text>
        <ForWhom campaign={campaign} />
        <CampaignContents campaign={campaign} />
      </div>
    )
  return (
    <div className={classes.run}>
      {pause && state === 'paused' && (
        <Alert
          color={pause.code && pause.code !== 'canary' ? 'red' : 'amber'}
          variant="light"
          title={[`Pausada em ${formatDateTime(pause.at)}`, pause.text].filter(Boolean).join(': ')}
        >
          {pause.advice}
          {pause.until && ` Sem ninguém mexer, segue sozinha em ${formatDateTime(pause.until)}.`}
        </Alert>
      )}
      {hold && state === 'running' && (
        <Alert color="blue" variant="light" title={hold.text}>
          {hold.until
            ? `Segue sozinha em ${formatDateTime(hold.until)}.`
            : 'Confira os dias, os horários e o máximo por dia em “Ajustar”.'}
        </Alert>
      )}
      {state === 'preparing' && (
        <Text c="dimmed" role="status">
          Reunindo o público: {formatNumber(numbers.total)} até agora.
        </Text>
      )}
      <CampaignProgress campaign={campaign} />
      {campaign.audience.takesLate && state === 'running' && (
        <Text size="sm" c="dimmed">
          Quem passar a fazer parte do público também recebe, em alguns minutos, até alguém encerrar a campanha.
        </Text>
      )}
      <Tiles campaign={campaign} onShow={show} />
      <ForWhom campaign={campaign} />
      <CampaignContents campaign={campaign} />
      {report.isError ? (
        <ErrorState message={messageOf(report.error)} onRetry={() => void report.refetch()} />
      ) : (
        report.data && <Report campaign={campaign} report={report.data} onShow={show} />
      )}
      <section className={classes.block} aria-labelledby="destinatarios">
        <Title order={2} size="h4" id="destinatarios">
          Destinatários
        </Title>
        <RecipientsList campaign={campaign} />
      </section>
    </div>
  )
}

/** Whom it is for, as it was written: to be read, not to be changed. */
const ForWhom = ({ campaign }: { campaign: Campaign }) => {
  const mayWrite = useCan('campaigns.write')
  const [opened, setOpened] = useState(campaign.state === 'scheduled')
  if (!mayWrite) return null
  return (
    <details className={classes.contentsRead} open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>Para quem</summary>
      {opened && (
        <fieldset disabled className={classes.written}>
          <div className={classes.section}>
            <AudienceFields campaign={campaign} onChange={() => {}} errorOf={() => undefined} />
          </div>
        </fieldset>
      )}
    </details>
  )
}

/** What the list of recipients is narrowed to, as it stands in the address. */
type Shown = {
  situacao?: readonly string[]
  respondeu?: 'yes' | 'saiu' | 'reclamou'
  funil?: 'abriu' | 'ganhou'
  motivo?: string
  falta?: string
  erro?: string
  envio?: string
  canal?: string
}
type Shows = { onShow: (shown: Shown) => void }
/** From a number to the people behind it. */
const useShowRecipients = () => {
  const change = useChangeParams()
  return (shown: Shown) => {
    // A step of its own: Back leads to all of them again, not to another campaign.
    change((params) => {
      for (const name of recipientFilters) params.delete(name)
      for (const [name, value] of Object.entries(shown)) for (const one of [value].flat()) params.append(name, one)
    })
    document.getElementById('destinatarios')?.scrollIntoView({ behavior: 'smooth', block: 'start' })
  }
}

const arrived = ['delivered', 'read']
type Measure = {
  name: 'sent' | 'delivered' | 'read' | 'answered' | 'failed' | 'optedOut'
  label: string
  /** As the head of a column. */
  short?: string
  shown: Shown
  /** What a channel has to tell for it to be known. */
  receipt?: ReceiptKind
}
const measures: readonly Measure[] = [
  { name: 'sent', label: 'Enviadas', shown: { situacao: ['sent', ...arrived] } },
  { name: 'delivered', label: 'Entregues', shown: { situacao: arrived }, receipt: 'delivered' },
  { name: 'read', label: 'Lidas', shown: { situacao: ['read'] }, receipt: 'read' },
  { name: 'answered', label: 'Respondidas', shown: { respondeu: 'yes' } },
  { name: 'failed', label: 'Falharam', shown: { situacao: ['failed'] } },
  { name: 'optedOut', label: 'Pediram para sair', short: 'Saíram', shown: { respondeu: 'saiu' } },
]
/** The number and its share; of what only some channels tell, the number alone. */
const shareOf = (numbers: Campaign['numbers'], { name, receipt }: Measure, of: Pick<Campaign, 'connections'>) => {
  const { sent, failed } = numbers
  const tells = receipt ? whoTells(of, receipt) : 'all'
  if (tells === 'none') return undefined
  const whole = name === 'failed' ? sent + failed : sent
  const part = name === 'sent' || tells === 'some' ? undefined : percentOf(numbers[name], whole)
  return { value: formatNumber(numbers[name]), part }
}

const Tiles = ({ campaign, onShow }: { campaign: Campaign } & Shows) => {
  const { numbers } = campaign
  const { uncertain, complaints, skipped, cost, sent } = numbers
  const tiles: { label: string; value: string; part?: string | undefined; shown?: Shown }[] = [
    ...measures.flatMap((measure) => {
      const known = shareOf(numbers, measure, campaign)
      return known ? [{ label: measure.label, ...known, shown: measure.shown }] : []
    }),
    ...(uncertain
      ? [{ label: 'Entrega incerta', value: formatNumber(uncertain), shown: { situacao: ['uncertain'] } }]
      : []),
    ...(complaints
      ? [
          {
            ...{ label: 'Reclamaram', value: formatNumber(complaints), part: percentOf(complaints, sent) },
            shown: { respondeu: 'reclamou' as const },
          },
        ]
      : []),
    { label: 'Fora do envio', value: formatNumber(skipped), shown: { situacao: ['skipped'] } },
    ...(cost ? [{ label: 'Custo', value: formatCost(cost) }] : []),
  ]
  return (
    <ul className={classes.tiles} aria-label="Resultados">
      {tiles.map(({ label, value, part, shown }) => (
        <li key={label}>
          {shown ? (
            <button
              type="button"
              className={classes.tile}
              aria-label={`${label}: ${value}. Ver quem`}
              onClick={() => onShow(shown)}
            >
              <Tile label={label} value={value} part={part} />
            </button>
          ) : (
            <div className={classes.tile}>
              <Tile label={label} value={value} part={part} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
const Tile = ({ label, value, part }: { label: string; value: string; part?: string | undefined }) => (
  <>
    <span>{label}</span>
    <span>
      <strong>{value}</strong>
      {part && ` ${part}`}
    </span>
  </>
)

const series = [
  { name: 'sent', label: 'Enviadas', color: 'gray.5' },
  { name: 'delivered', label: 'Entregues', color: 'blue.5' },
  { name: 'read', label: 'Lidas', color: 'green.5' },
  { name: 'answered', label: 'Respondidas', color: 'violet.5' },
  { name: 'failed', label: 'Falharam', color: 'red.5' },
]

const Report = ({ campaign, report, onShow }: { campaign: Campaign; report: CampaignReport } & Shows) => {
  const { course, variants, failures, skipped, connections, orders } = report
  const compares = variants.length > 1
  const told = measures.filter(({ name }) => !isUnknown(campaign, name))
  return (
    <>
      {course.length > 0 && (
        <section className={classes.block} aria-labelledby="curso">
          <Title order={2} size="h4" id="curso">
            Ao longo do tempo
          </Title>
          <Suspense fallback={<div style={{ height: 260 }} />}>
            <LineChart
              label="Mensagens ao longo do tempo, a cada dez minutos"
              of="A partir de"
              points={course.map(({ at, ...counts }) => ({
                label: sameDay(course) ? formatTime(at) : formatDateTime(at),
                ...counts,
              }))}
              series={series.filter(({ name }) => !isUnknown(campaign, name))}
            />
          </Suspense>
        </section>
      )}
      {orders.created > 0 && <Orders orders={orders} onShow={onShow} />}
      {(compares || connections.length > 1) && (
        <section className={classes.block} aria-labelledby="comparar">
          <Title order={2} size="h4" id="comparar">
            Comparar
          </Title>
          <div className={classes.scroll}>
            <table className={classes.compare} aria-label="Comparação">
              <thead>
                <tr>
                  <th>De</th>
                  {told.map(({ name, label, short = label }) => (
                    <th key={name}>{short}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {compares &&
                  variants.map(({ step, variant, isWinner, numbers }) => (
                    <Numbers
                      key={`${step}.${variant}`}
                      name={sentName(campaign, step, variant) + (isWinner ? ' (vencedora)' : '')}
                      numbers={numbers}
                      measures={told}
                      of={campaign}
                      shown={{ envio: `${step}.${variant}` }}
                      onShow={onShow}
                    />
                  ))}
                {connections.length > 1 &&
                  connections.map(({ connection, numbers }) => (
                    <Numbers
                      key={connection.id}
                      name={connection.name}
                      numbers={numbers}
                      measures={told}
                      of={{ connections: campaign.connections.filter(({ id }) => id === connection.id) }}
                      shown={{ canal: connection.id }}
                      onShow={onShow}
                    />
                  ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {(failures.length > 0 || skipped.length > 0) && (
        <section className={classes.block} aria-labelledby="motivos">
          <Title order={2} size="h4" id="motivos">
            Por que não receberam
          </Title>
          <List listStyleType="none" size="sm">
            {failures.map(({ error, count }) => (
              <List.Item key={error}>
                <Reason
                  count={count}
                  text={error}
                  onShow={() => onShow(error ? { erro: error } : { situacao: ['failed'] })}
                />
              </List.Item>
            ))}
            {skipped.map(({ reason, missing, count }) => (
              <List.Item key={`${reason}:${missing}`}>
                <Reason
                  count={count}
                  text={skipText({ reason, missing })}
                  onShow={() =>
                    onShow({ situacao: ['skipped'], motivo: reason, ...(missing !== null && { falta: missing }) })
                  }
                />
              </List.Item>
            ))}
          </List>
        </section>
      )}
    </>
  )
}

/** Its place in the sequence, and which of several variants. */
const sentName = ({ steps }: Campaign, step: number, variant: number) =>
  [
    ...(steps.length > 1 ? [`Envio ${step + 1}`] : []),
    ...((steps[step]?.variants.length ?? 0) > 1 ? [`Variante ${variantNames[variant] ?? '–'}`] : []),
  ].join(' · ')

const Orders = ({ orders: { created, won, wonCents }, onShow }: Pick<CampaignReport, 'orders'> & Shows) => {
  const mayOpen = useCan('funnel.read')
  const leads = (text: string, funil: NonNullable<Shown['funil']>) =>
    mayOpen ? (
      <Anchor component="button" type="button" c="inherit" fw={600} onClick={() => onShow({ funil })}>
        {text}
      </Anchor>
    ) : (
      <strong>{text}</strong>
    )
  return (
    <Text className="tabular">
      Vieram depois dela {leads(plural(created, 'oportunidade', 'oportunidades'), 'abriu')}
      {won > 0 && (
        <>
          , das quais {leads(`${formatNumber(won)} ${won === 1 ? 'ganha' : 'ganhas'}`, 'ganhou')}:{' '}
          <strong>{formatCents(wonCents)}</strong>
        </>
      )}
      .
    </Text>
  )
}

/** Nobody tells it of what leaves by these channels. */
const isUnknown = (campaign: Campaign, name: string) => {
  const receipt = measures.find((one) => one.name === name)?.receipt
  return receipt !== undefined && whoTells(campaign, receipt) === 'none'
}

const Reason = ({ count, text, onShow }: { count: number; text: string; onShow: () => void }) => (
  <>
    <strong className="tabular">{formatNumber(count)}</strong> ·{' '}
    <Anchor component="button" type="button" c="inherit" size="sm" ta="left" onClick={onShow}>
      {text}
    </Anchor>
  </>
)

const sameDay = (course: CampaignReport['course']) => dayOf(course.at(0)?.at ?? '') === dayOf(course.at(-1)?.at ?? '')

type Compared = {
  name: string
  numbers: Campaign['numbers']
  measures: readonly Measure[]
  /** What its numbers are of: the channels that tell them, and whom they lead to. */
  of: Pick<Campaign, 'connections'>
  shown: Shown
} & Shows
const Numbers = ({ name, numbers, measures, of, shown, onShow }: Compared) => (
  <tr>
    <th scope="row">
      <Anchor component="button" type="button" c="inherit" fw={600} ta="left" onClick={() => onShow(shown)}>
        {name}
      </Anchor>
    </th>
    {measures.map((measure) => {
      const known = shareOf(numbers, measure, of)
      return (
        <td key={measure.name}>
          {known ? (
            <>
              <Anchor
                component="button"
                type="button"
                c="inherit"
                aria-label={`${name}, ${measure.label.toLowerCase()}: ${known.value}. Ver quem`}
                onClick={() => onShow({ ...shown, ...measure.shown })}
              >
                {known.value}
              </Anchor>{' '}
              {known.part && (
                <Text span c="dimmed" size="xs">
                  {known.part}
                </Text>
              )}
            </>
          ) : (
            <Text span c="dimmed" title="Este canal não diz">
              não se sabe
            </Text>
          )}
        </td>
      )
    })}
  </tr>
)
