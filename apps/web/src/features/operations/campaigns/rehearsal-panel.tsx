import { skipText } from '@balcao/contract/operations/campaigns/audience.ts'
import type { Campaign, CampaignRehearsal, ShownSend } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { variantNames } from '@balcao/contract/operations/campaigns/content.ts'
import { variableLabel } from '@balcao/contract/variables.ts'
import { ActionIcon, Alert, Anchor, Button, Group, List, Select, Text, TextInput } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatDateTime, formatNumber, plural } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { FactList } from '../../../ui/fact-list.tsx'
import { notify } from '../../../ui/notify.ts'
import { UserText } from '../../../ui/user-text.tsx'
import { sendTest } from './api.ts'
import classes from './campaigns.module.css'
import { NumberCheck } from './number-check.tsx'
import { afterText, formatCost, sendsOf } from './words.ts'

type Props = { campaign: Campaign; rehearsal: CampaignRehearsal; onShow: (path: string) => void }

/** What would happen if it started now: what is in the way, to whom, what it costs, how long it takes, what is risky, and how it reads. */
export const RehearsalPanel = ({ campaign, rehearsal, onShow }: Props) => {
  const { found, reached, skipped, connections, cost, segments, startsAt, endsAbout, warnings, sample } = rehearsal
  const steps = campaign.steps.length
  const mayWrite = useCan('campaigns.write')
  return (
    <div className={classes.rehearsal}>
      <Warnings warnings={warnings.filter(({ level }) => level === 'blocks')} onShow={onShow} />
      <FactList
        facts={[
          ['Encontradas', plural(found, 'pessoa', 'pessoas')],
          ['Vão receber', plural(reached, 'pessoa', 'pessoas')],
          ...(cost === null
            ? []
            : [[steps > 1 ? 'Custo, se ninguém responder' : 'Custo estimado', formatCost(cost)] as const]),
          ...(segments === null ? [] : [['SMS', formatNumber(segments)] as const]),
          ['Começa', formatDateTime(startsAt)],
          [
            steps > 1 ? 'Termina até, se ninguém responder' : 'Termina por volta de',
            endsAbout ? formatDateTime(endsAbout) : 'não dá para prever',
          ],
        ]}
      />
      <Warnings warnings={warnings.filter(({ level }) => level !== 'blocks')} onShow={onShow} />
      {skipped.some(({ count }) => count > 0) && (
        <section aria-label="Quem fica de fora">
          <Text fw={600} size="sm">
            Ficam de fora
          </Text>
          <List size="sm" listStyleType="none">
            {skipped
              .filter(({ count }) => count > 0)
              .map(({ reason, missing, count }) => (
                <List.Item key={`${reason}:${missing}`}>
                  <strong className="tabular">{formatNumber(count)}</strong> · {skipText({ reason, missing })}
                </List.Item>
              ))}
          </List>
        </section>
      )}
      {connections.length > 0 && (
        <section aria-label="Por canal">
          <Text fw={600} size="sm">
            Por canal
          </Text>
          <List size="sm" listStyleType="none">
            {connections.map(({ connection, count, leftToday }) => (
              <List.Item key={connection.id}>
                {connection.name}: <strong className="tabular">{formatNumber(count)}</strong>
                {leftToday !== null && ` · hoje ainda cabem ${formatNumber(leftToday)}`}
              </List.Item>
            ))}
          </List>
        </section>
      )}
      {mayWrite && reached > 0 && <NumberCheck campaign={campaign} />}
      {sample.length > 0 && <Sample sample={sample} steps={campaign.steps} />}
      {mayWrite && campaign.connectionIds.length > 0 && steps > 0 && <TestToOneself campaign={campaign} />}
    </div>
  )
}

const Warnings = ({ warnings, onShow }: Pick<CampaignRehearsal, 'warnings'> & Pick<Props, 'onShow'>) =>
  warnings.map(({ level, text, path }) => (
    <Alert key={text} variant="light" color={level === 'blocks' ? 'red' : level === 'danger' ? 'amber' : 'blue'}>
      {text}{' '}
      {path && (
        <Anchor component="button" type="button" size="sm" onClick={() => onShow(path)}>
          Ver
        </Anchor>
      )}
    </Alert>
  ))

/** Some of those who would get it, one at a time, as they will read it. */
const Sample = ({ sample, steps }: Pick<CampaignRehearsal, 'sample'> & Pick<Campaign, 'steps'>) => {
  const [at, setAt] = useState(0)
  const shown = sample[Math.min(at, sample.length - 1)]
  if (!shown) return null
  const step = (by: number) => setAt((sample.length + at + by) % sample.length)
  return (
    <section aria-label="Como vão ler">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text fw={600} size="sm" className="truncate" aria-live="polite">
          {shown.contact.name} · {shown.connection.name}
          {(steps[0]?.variants.length ?? 0) > 1 && ` · ${variantNames[shown.variant]}`}
        </Text>
        <Group gap={2} wrap="nowrap">
          <ActionIcon aria-label="Pessoa anterior" onClick={() => step(-1)}>
            <IconChevronLeft size={18} />
          </ActionIcon>
          <ActionIcon aria-label="Próxima pessoa" onClick={() => step(1)}>
            <IconChevronRight size={18} />
          </ActionIcon>
        </Group>
      </Group>
      <Read send={shown} />
      {shown.later.map((send, at) => {
        const next = steps[at + 1]
        return (
          next && (
            // biome-ignore lint/suspicious/noArrayIndexKey: sends in their order
            <Fragment key={at}>
              <Text size="sm" c="dimmed" mt={8}>
                {afterText(next)}
              </Text>
              <Read send={send} />
            </Fragment>
          )
        )
      })}
    </section>
  )
}

const Read = ({ send: { texts, problem, subject, missing } }: { send: ShownSend }) => (
  <>
    {problem && (
      <Text size="sm" c="red" mt={8}>
        {problem}
      </Text>
    )}
    {texts.length > 0 && (
      <div className={classes.phone}>
        {subject && <div className={classes.subject}>{subject}</div>}
        {texts.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages in their order
          <div key={index} className={classes.bubble}>
            <UserText text={text} />
          </div>
        ))}
      </div>
    )}
    {missing.length > 0 && (
      <Text size="sm" c="red">
        Sem valor: {missing.map(variableLabel).join(', ')}
      </Text>
    )}
  </>
)

const TestToOneself = ({ campaign }: { campaign: Campaign }) => {
  const [to, setTo] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [wished, setWished] = useState({ send: '', connectionId: '' })
  const sends = sendsOf(campaign)
  const send = sends.find(({ value }) => value === wished.send) ?? sends[0]
  const way = campaign.connections.find(({ id }) => id === wished.connectionId) ?? campaign.connections[0]
  const [step = 0, variant = 0] = send?.of ?? []
  return (
    <form
      className={classes.tryOut}
      onSubmit={(event) => {
        event.preventDefault()
        setBusy(true)
        setProblem('')
        void sendTest(campaign.id, { step, variant, connectionId: way?.id ?? '', to: to.trim() })
          .then(() => notify.success('Teste enviado.'))
          .catch((error: unknown) => setProblem(reasonOf(error)))
          .finally(() => setBusy(false))
      }}
    >
      <TextInput
        label="Enviar um teste para mim"
        description="Seu número ou e-mail. Não conta como envio."
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        error={problem || undefined}
      />
      {sends.length > 1 && (
        <Select
          label="O que testar"
          allowDeselect={false}
          data={sends.map(({ value, label }) => ({ value, label }))}
          value={send?.value ?? null}
          onChange={(value) => value && setWished({ ...wished, send: value })}
        />
      )}
      {campaign.connections.length > 1 && (
        <Select
          label="Por onde"
          allowDeselect={false}
          data={campaign.connections.map(({ id, name }) => ({ value: id, label: name }))}
          value={way?.id ?? null}
          onChange={(id) => id && setWished({ ...wished, connectionId: id })}
        />
      )}
      <Button type="submit" variant="default" loading={busy} disabled={!to.trim()}>
        Enviar teste
      </Button>
    </form>
  )
}
