import type { Connection } from '@balcao/contract/channels/connections.ts'
import type { Campaign, CampaignRehearsal } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Alert, Button, Group, Text, Textarea, TextInput, Title } from '@mantine/core'
import { IconPlayerPlay, IconTestPipe } from '@tabler/icons-react'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { LeaveGuard } from '../../../ui/leave-guard.tsx'
import { notify } from '../../../ui/notify.ts'
import { connectionList } from '../../channels/connections/api.ts'
import { importQuery } from '../../contacts/imports/api.ts'
import { VariablesHere } from '../../contacts/variables/use-variables.ts'
import { settingsQuery } from '../../people/settings/api.ts'
import { AnswerFields, SafetyFields } from './answer-fields.tsx'
import { actOnCampaign, campaignQuery, rehearse, rejectCampaign } from './api.ts'
import { AudienceFields } from './audience-fields.tsx'
import { CampaignContents } from './campaign-contents.tsx'
import classes from './campaigns.module.css'
import { ContentFields } from './content-fields.tsx'
import { FallbackFields } from './fallback-fields.tsx'
import { RehearsalPanel } from './rehearsal-panel.tsx'
import { SendingFields } from './sending-fields.tsx'
import { type Saving, useDraft } from './use-draft.ts'
import { columnVariables, startedText, startSentence } from './words.ts'

type Props = {
  campaign: Campaign
  /** Of a mass screen: the fields that a send of now needs. */
  isPlain?: boolean
  onlyTemplate?: boolean
  /** Which channels it may go by. */
  fits?: (connection: Connection) => boolean
  /** Beside the buttons of the bar: delete. */
  extra?: ReactNode
}

const sections = [
  ['publico', 'Público', 'audience'],
  ['mensagens', 'Conteúdo', 'steps fallbacks'],
  ['envio', 'Canais e ritmo', 'connectionIds pace window startsAt endsAt spread'],
  ['respostas', 'Respostas', 'answer'],
  ['seguranca', 'Segurança', 'canary brake purpose'],
] as const

/** A campaign while it is written: it saves by itself, is rehearsed beside, and starts from here. */
export const CampaignEditor = ({ campaign: row, isPlain, onlyTemplate, fits = sendsToMany, extra }: Props) => {
  const cache = useQueryClient()
  const draft = useDraft(row)
  const name = useFocusWhenNew(row)
  const { campaign, flush, saving, problem, errors, conflict } = draft
  const able = useQuery(connectionList).data?.filter(fits)
  const chosen = (able ?? []).filter(({ id }) => campaign.connectionIds.includes(id))
  const [rehearsal, setRehearsal] = useState<CampaignRehearsal | null>(null)
  const [isOutdated, setIsOutdated] = useState(false)
  const [busy, setBusy] = useState<'rehearse' | 'start' | 'reject' | 'withdraw' | null>(null)
  const [refusal, setRefusal] = useState('')
  const [asks, setAsks] = useState<'start' | 'reject' | null>(null)
  const [reason, setReason] = useState('')
  const mayWrite = useCan('campaigns.write')
  const mayStart = useMayStart(campaign)
  const columns = useColumns(campaign)
  const errorOf = (path: string) => errors.get(path)
  const isApproval = campaign.state === 'approval'
  const isLater = campaign.startsAt !== null && new Date(campaign.startsAt) > new Date()
  const needsApproval = useQuery(settingsQuery).data?.campaignApproval === true && !isApproval
  const verb = needsApproval
    ? 'Pedir aprovação'
    : isApproval
      ? 'Aprovar'
      : isLater
        ? 'Agendar'
        : isPlain
          ? 'Enviar agora'
          : 'Iniciar'

  const change: typeof draft.change = (patch) => {
    draft.change(patch)
    setIsOutdated(true)
  }
  const look = async () => {
    setBusy('rehearse')
    setRefusal('')
    setIsOutdated(false)
    try {
      if (!(await flush())) return undefined
      const found = await rehearse(campaign.id)
      setRehearsal(found)
      return found
    } catch (error) {
      setRefusal(reasonOf(error))
      return undefined
    } finally {
      setBusy(null)
    }
  }
  const handleStart = async () => {
    const found = await look()
    if (!found) return
    const [blocking] = found.warnings.filter(({ level }) => level === 'blocks')
    if (blocking) return setRefusal(`${blocking.text} Resolva antes de iniciar.`)
    if (found.reached === 0) return setRefusal('Ninguém receberia. Confira o público e quem fica de fora.')
    setAsks('start')
  }
  const act = async (what: 'start' | 'reject' | 'withdraw', work: () => Promise<Campaign>) => {
    setBusy(what)
    setRefusal('')
    try {
      const next = await work()
      cache.setQueryData(campaignQuery(campaign.id).queryKey, next)
      const told = {
        start: startedText(next, isPlain),
        reject: 'Recusada: voltou a ser um rascunho.',
        withdraw: 'Voltou a ser um rascunho.',
      }
      notify.success(told[what])
    } catch (error) {
      setRefusal(reasonOf(error))
    } finally {
      setBusy(null)
      setAsks(null)
    }
  }
  const start = () => act('start', () => actOnCampaign(campaign.id, isApproval ? 'approve' : 'start'))
  const reject = () => act('reject', () => rejectCampaign(campaign.id, reason))
  const withdraw = () => act('withdraw', () => actOnCampaign(campaign.id, 'withdraw'))
  const show = (path: string) => {
    const [id] = sections.find(([, , fields]) => fields.split(' ').some((field) => path.startsWith(field))) ?? []
    document.getElementById(id ?? 'publico')?.scrollIntoView({ behavior: 'smooth', block: 'start' })
  }
  const fields: Record<(typeof sections)[number][0], [purpose: string, body: ReactNode]> = {
    publico: [
      'De onde vêm as pessoas, e quem fica de fora.',
      <AudienceFields
        key="publico"
        campaign={campaign}
        onChange={(audience) => change({ audience })}
        errorOf={errorOf}
        isPlain={isPlain}
      />,
    ],
    mensagens: [
      isPlain ? 'O que cada pessoa recebe.' : 'O que cada pessoa recebe, em que versões, e o que segue.',
      <Fragment key="mensagens">
        {!isApproval && (
          <ContentFields
            campaign={campaign}
            connections={chosen}
            onChange={change}
            errorOf={errorOf}
            isPlain={isPlain}
            onlyTemplate={onlyTemplate}
          />
        )}
        <FallbackFields campaign={campaign} onChange={change} errorOf={errorOf} />
      </Fragment>,
    ],
    envio: [
      'Por onde sai, com que intervalo e em que horas.',
      <SendingFields
        key="envio"
        campaign={campaign}
        able={able}
        onChange={change}
        errorOf={errorOf}
        isPlain={isPlain}
      />,
    ],
    respostas: [
      'Para onde vai quem responder.',
      <AnswerFields key="respostas" campaign={campaign} onChange={change} errorOf={errorOf} />,
    ],
    seguranca: [
      'O que faz a campanha parar antes de incomodar ou perder um número.',
      <SafetyFields key="seguranca" campaign={campaign} onChange={change} errorOf={errorOf} />,
    ],
  }
  const shown = sections.filter(([id]) => !isPlain || (id !== 'respostas' && id !== 'seguranca'))
  return (
    <VariablesHere value={columns}>
      <div className={classes.frame}>
        <div className={classes.editor}>
          <nav className={classes.contents} aria-label="Partes da campanha">
            {shown.map(([id, label]) => (
              <a
                key={id}
                href={`#${id}`}
                onClick={(event) => {
                  event.preventDefault()
                  document.getElementById(id)?.scrollIntoView({ behavior: 'smooth' })
                }}
              >
                {label}
              </a>
            ))}
          </nav>
          <div className={classes.sections}>
            {isApproval && (
              <Alert variant="light" color="amber" title="Aguardando aprovação">
                {campaign.askedBy && `Pedida por ${campaign.askedBy.name}. `}
                {mayStart
                  ? 'Confira tudo antes de aprovar.'
                  : 'Outra pessoa que pode aprovar campanhas precisa conferir esta.'}
                {mayWrite && ' Para mudar algo, use “Alterar”: ela volta a ser um rascunho.'}
              </Alert>
            )}
            {conflict && <ConflictNotice onReload={conflict.onReload} onOverwrite={conflict.onOverwrite} />}
            <fieldset disabled={isApproval} className={classes.written}>
              <TextInput
                ref={name}
                label="Nome"
                maxLength={80}
                required
                value={campaign.name}
                onChange={(event) => change({ name: event.currentTarget.value })}
                error={errorOf('name')}
              />
            </fieldset>
            {shown.map(([id, label]) => (
              <section key={id} id={id} className={classes.section} aria-labelledby={`${id}-titulo`}>
                <header>
                  <Title order={2} size="h4" id={`${id}-titulo`}>
                    {label}
                  </Title>
                  <Text size="sm">{fields[id][0]}</Text>
                </header>
                {/* Its files are opened and heard also by whoever only reads. */}
                {id === 'mensagens' && isApproval && <CampaignContents campaign={campaign} />}
                <fieldset disabled={isApproval} className={classes.written}>
                  {fields[id][1]}
                </fieldset>
              </section>
            ))}
            {isPlain && (
              <details>
                <summary>Respostas e segurança</summary>
                <fieldset disabled={isApproval} className={classes.written}>
                  <div className={classes.sections}>
                    {fields.respostas[1]}
                    {fields.seguranca[1]}
                  </div>
                </fieldset>
              </details>
            )}
          </div>
          <aside className={classes.aside} aria-label="Ensaio">
            <div className={classes.asideHead}>
              <Title order={2} size="h4">
                Ensaio
              </Title>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTestPipe size={16} aria-hidden />}
                loading={busy === 'rehearse'}
                onClick={() => void look()}
              >
                Ensaiar
              </Button>
            </div>
            {rehearsal && isOutdated && (
              <Text size="sm" role="status">
                A campanha mudou depois deste ensaio. Ensaie de novo para ver como fica agora.
              </Text>
            )}
            {rehearsal ? (
              <RehearsalPanel campaign={campaign} rehearsal={rehearsal} onShow={show} />
            ) : (
              <Text size="sm" c="dimmed">
                Veja quantas pessoas receberiam, quem fica de fora e por quê, quanto custa, quanto demora e como cada
                uma lê. Nada é enviado.
              </Text>
            )}
          </aside>
        </div>
      </div>
      <div className={classes.bar} data-foot-bar>
        <div>
          {!isApproval && <SavingText saving={saving} problem={problem} />}
          {refusal && (
            <Alert color="red" variant="light" role="alert" p="xs">
              {refusal}
            </Alert>
          )}
        </div>
        <Group gap="xs">
          {saving === 'failed' && (
            <Button variant="default" onClick={() => void flush()}>
              Tentar salvar
            </Button>
          )}
          {extra}
          {mayWrite && isApproval && (
            <Button variant="default" loading={busy === 'withdraw'} onClick={() => void withdraw()}>
              Alterar
            </Button>
          )}
          {mayStart && isApproval && (
            <Button variant="default" loading={busy === 'reject'} onClick={() => setAsks('reject')}>
              Recusar
            </Button>
          )}
          {mayStart && (
            <Button
              leftSection={<IconPlayerPlay size={18} aria-hidden />}
              loading={busy !== null}
              disabled={saving === 'conflict'}
              onClick={() => void handleStart()}
            >
              {verb}
            </Button>
          )}
        </Group>
      </div>
      {/* What could not be saved is kept on this computer, but not sent along. */}
      <LeaveGuard active={saving === 'failed' || saving === 'conflict'} />
      <ConfirmDialog
        opened={asks === 'start'}
        title={
          needsApproval
            ? 'Pedir aprovação?'
            : isApproval
              ? 'Aprovar a campanha?'
              : isPlain
                ? 'Enviar agora?'
                : 'Iniciar a campanha?'
        }
        confirmLabel={verb}
        busy={busy === 'start'}
        onConfirm={() => void start()}
        onClose={() => setAsks(null)}
      >
        {rehearsal && startSentence(campaign, rehearsal)}{' '}
        {needsApproval
          ? 'Só começa depois que outra pessoa aprovar.'
          : 'Você pode pausar ou cancelar a qualquer momento.'}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asks === 'reject'}
        title="Recusar a campanha?"
        confirmLabel="Recusar"
        tone="danger"
        busy={busy === 'reject'}
        onConfirm={() => void reject()}
        onClose={() => setAsks(null)}
      >
        <Textarea
          label="Por quê"
          description={`${campaign.askedBy?.name ?? 'Quem pediu'} lê isto no aviso. A campanha volta a ser um rascunho.`}
          maxLength={300}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </ConfirmDialog>
    </VariablesHere>
  )
}

const sendsToMany = ({ abilities }: Connection) => abilities.supports.includes('mass')

/** Whoever may write it starts it; one that waits for approval, a second person who may approve. */
const useMayStart = ({ state, askedBy }: Campaign) => {
  const { userId } = useCurrentSession()
  const [mayWrite, mayApprove] = [useCan('campaigns.write'), useCan('campaigns.approve')]
  return state === 'approval' ? mayApprove && askedBy?.id !== userId : mayWrite
}

/** Of one that has just been begun the name is typed first, over the one it was given. */
const useFocusWhenNew = ({ version, steps, audience }: Campaign) => {
  const name = useRef<HTMLInputElement>(null)
  const [isNew] = useState(version === 1 && steps.length === 0 && audience.include.length === 0)
  useEffect(() => {
    if (!isNew) return
    name.current?.focus({ preventScroll: true })
    name.current?.select()
  }, [isNew])
  return name
}

/** The columns of its lists, as variables. */
const useColumns = ({ audience }: Campaign) => {
  const lists = audience.include.flatMap((source) =>
    source.kind === 'import' && source.importId ? source.importId : [],
  )
  const batches = useQueries({ queries: lists.map((id) => importQuery(id)) })
  const headings = batches.flatMap(({ data }) => data?.headings ?? [])
  return columnVariables([...new Set(headings)])
}

const savingTexts: Record<Saving, string> = {
  saved: 'Tudo salvo',
  waiting: 'Salvando…',
  saving: 'Salvando…',
  failed: 'Não foi salvo',
  conflict: 'Não foi salvo',
}
const SavingText = ({ saving, problem }: { saving: Saving; problem: string }) => {
  const isBad = saving === 'failed' || saving === 'conflict'
  return (
    <span className={classes.saving} data-bad={isBad || undefined} role={isBad ? 'alert' : 'status'}>
      {savingTexts[saving]}
      {isBad && problem && `: ${problem}`}
    </span>
  )
}
