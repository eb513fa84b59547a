import type { Assistant } from '@balcao/contract/automation/assistants/assistants.ts'
import type { AssistantEvaluation } from '@balcao/contract/automation/assistants/evaluation.ts'
import { botKinds } from '@balcao/contract/core/integrations/bots.ts'
import { Badge, Button, Checkbox, Group, MultiSelect, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  accountsQuery,
  type Candidate,
  evaluate,
  evaluationsQuery,
  versionsQuery,
} from '../../../features/automation/assistants/api.ts'
import { moneyOf } from '../../../features/automation/models/money.ts'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { notify } from '../../../ui/notify.ts'
import { CompareTable, secondsText } from './compare-table.tsx'
import classes from './editor.module.css'

const draft = 'rascunho'
const own = 'propria'
const mostCompared = 4
/** A conversation with one of them would be real there. */
const bots = new Set<string>(botKinds)
const whyLabels: Record<AssistantEvaluation['why'], string> = {
  hand: 'a pedido',
  publish: 'ao publicar',
  nightly: 'da noite',
}

type Props = { assistantId: string; published: Assistant['published'] }
/** Plays the cases with versions and accounts that are chosen, and puts what came of it side by side. */
export const Evaluations = ({ assistantId, published }: Props) => {
  const cache = useQueryClient()
  const evaluations = useQuery(evaluationsQuery(assistantId)).data ?? []
  const accounts = useQuery(accountsQuery).data ?? []
  const versions = useQuery(versionsQuery(assistantId)).data?.items ?? []
  const [what, setWhat] = useState<string[]>([draft])
  const [by, setBy] = useState<string[]>([own])
  const [chosen, setChosen] = useState<string[]>([])
  const [awaited, setAwaited] = useState<{ since: string; count: number } | null>(null)

  const candidates: Candidate[] = what.flatMap((version) =>
    by.map((account) => ({
      versionId: version === draft ? null : version,
      integrationId: account === own ? null : account,
    })),
  )
  const play = useMutation({
    mutationFn: () => evaluate(assistantId, candidates),
    onSuccess: (job) => {
      receiveJob(cache, job)
      setAwaited({ since: job.createdAt, count: candidates.length })
    },
    onError: (error) => notify.error(messageOf(error)),
  })
  // What was played to be compared stands side by side as soon as all of it is there.
  const fresh = awaited ? evaluations.filter(({ createdAt, why }) => why === 'hand' && createdAt >= awaited.since) : []
  if (awaited && fresh.length >= awaited.count) {
    setAwaited(null)
    setChosen(awaited.count > 1 ? fresh.map(({ id }) => id) : [])
  }
  const nameOf = ({ version, integrationId }: AssistantEvaluation) =>
    [
      version ? `Versão ${version.number}` : 'Rascunho',
      integrationId ? (accounts.find(({ id }) => id === integrationId)?.name ?? 'Conta excluída') : 'conta própria',
    ].join(' · ')
  const compared = evaluations.filter(({ id }) => chosen.includes(id))
  const toggle = (id: string, isOn: boolean) =>
    setChosen(isOn ? [...chosen, id].slice(-mostCompared) : chosen.filter((one) => one !== id))
  const tooMany = candidates.length > mostCompared
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Avaliações</legend>
      <Group align="flex-end" grow preventGrowOverflow={false}>
        <MultiSelect
          label="O quê"
          miw={200}
          data={[
            { value: draft, label: 'O rascunho salvo' },
            ...versions.map(({ id, number }) => ({
              value: id,
              label: id === published?.id ? `Versão ${number}, publicada` : `Versão ${number}`,
            })),
          ]}
          value={what}
          onChange={setWhat}
        />
        <MultiSelect
          label="Com"
          miw={200}
          data={[
            { value: own, label: 'A conta do assistente' },
            ...accounts.filter(({ kind }) => !bots.has(kind)).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={by}
          onChange={setBy}
        />
      </Group>
      <Group>
        <Button
          leftSection={<IconPlayerPlay size={17} aria-hidden />}
          loading={play.isPending}
          disabled={!candidates.length || tooMany}
          onClick={() => play.mutate()}
        >
          {candidates.length > 1 ? `Avaliar e comparar ${candidates.length}` : 'Avaliar agora'}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {tooMany && `Compare no máximo ${mostCompared} de uma vez.`}
        </Text>
      </Group>
      {compared.length > 1 && <CompareTable evaluations={compared} nameOf={nameOf} />}
      {evaluations.map((one) => (
        <div key={one.id} className={classes.evaluation}>
          <Checkbox
            aria-label={`Comparar ${nameOf(one)}, ${formatDateTime(one.createdAt)}`}
            checked={chosen.includes(one.id)}
            onChange={(event) => toggle(one.id, event.currentTarget.checked)}
          />
          <details>
            <summary className={classes.summary}>
              <Badge color={one.passed === one.total ? 'green' : 'red'} variant="light" mr={6}>
                {one.passed} de {one.total}
              </Badge>
              <Text span size="sm">
                {nameOf(one)}
              </Text>
              <Text size="xs" c="dimmed">
                {[
                  `${formatDateTime(one.createdAt)}, ${whyLabels[one.why]}`,
                  moneyOf(one.costMicros),
                  `${secondsText(one.ms)} por caso`,
                ].join(' · ')}
              </Text>
            </summary>
            {one.results.map((result) => (
              <div key={result.caseId} className={classes.result}>
                <Text size="sm" fw={600} c={result.isPassed ? undefined : 'var(--mantine-color-error)'}>
                  {result.isPassed ? 'Passou' : 'Não passou'}: {result.name}
                </Text>
                {result.problems.map((problem) => (
                  <Text key={problem} size="xs">
                    {problem}
                  </Text>
                ))}
                <Text size="xs" c="dimmed" className={classes.words}>
                  {result.answers.filter(Boolean).join('\n') || '(sem resposta)'}
                </Text>
              </div>
            ))}
          </details>
        </div>
      ))}
    </fieldset>
  )
}
