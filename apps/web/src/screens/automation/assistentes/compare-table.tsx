import type { AssistantEvaluation, CaseResult } from '@balcao/contract/automation/assistants/evaluation.ts'
import { Table, Text } from '@mantine/core'
import { moneyOf } from '../../../features/automation/models/money.ts'
import { formatDateTime } from '../../../kit/format.ts'
import classes from './editor.module.css'

export const secondsText = (ms: number) => `${(ms / 1_000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} s`

type Props = { evaluations: readonly AssistantEvaluation[]; nameOf: (one: AssistantEvaluation) => string }
/** Quality, cost and time of several evaluations side by side, then each case with what was answered. */
export const CompareTable = ({ evaluations, nameOf }: Props) => {
  const cases = new Map<string, string>()
  for (const { results } of evaluations) for (const { caseId, name } of results) cases.set(caseId, name)
  const costOf = ({ costMicros, total }: AssistantEvaluation) => costMicros / Math.max(1, total)
  const sums: {
    label: string
    of: (one: AssistantEvaluation) => number
    text: (one: AssistantEvaluation) => string
  }[] = [
    {
      label: 'Casos que passaram',
      of: ({ passed, total }) => -passed / Math.max(1, total),
      text: ({ passed, total }) => `${passed} de ${total}`,
    },
    { label: 'Custo por caso', of: costOf, text: (one) => moneyOf(Math.round(costOf(one))) },
    { label: 'Tempo por caso', of: ({ ms }) => ms, text: ({ ms }) => secondsText(ms) },
  ]
  return (
    <Table.ScrollContainer minWidth={200 + evaluations.length * 180} type="native" tabIndex={0}>
      <Table aria-label="Comparação" className="tabular" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Caso</Table.Th>
            {evaluations.map((one) => (
              <Table.Th key={one.id}>
                {nameOf(one)}
                <Text size="xs" c="dimmed" fw={400}>
                  {formatDateTime(one.createdAt)}
                </Text>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sums.map(({ label, of, text }) => {
            const values = evaluations.map(of)
            const best = Math.min(...values)
            const isSame = values.every((value) => value === best)
            return (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                {evaluations.map((one) => (
                  <Table.Td key={one.id}>
                    <Text span size="sm" fw={!isSame && of(one) === best ? 700 : 400}>
                      {text(one)}
                    </Text>
                    {!isSame && of(one) === best && (
                      <Text span size="xs" c="dimmed">
                        {' '}
                        melhor
                      </Text>
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
          {[...cases].map(([caseId, name]) => (
            <Table.Tr key={caseId}>
              <Table.Th scope="row">{name}</Table.Th>
              {evaluations.map((one) => (
                <Table.Td key={one.id} valign="top">
                  <Result result={one.results.find((result) => result.caseId === caseId)} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const Result = ({ result }: { result: CaseResult | undefined }) => {
  if (!result)
    return (
      <Text size="xs" c="dimmed">
        Não fazia parte
      </Text>
    )
  const { isPassed, isPlayed, problems, answers, handOver, costMicros, ms } = result
  return (
    <>
      <Text size="sm" fw={600} c={isPassed ? undefined : 'var(--mantine-color-error)'}>
        {isPassed ? 'Passou' : isPlayed ? 'Não passou' : 'Sem resposta'}
      </Text>
      {problems.map((problem) => (
        <Text key={problem} size="xs">
          {problem}
        </Text>
      ))}
      <Text size="xs" c="dimmed" className={classes.words} lineClamp={4}>
        {answers.filter(Boolean).join('\n') || (handOver ? 'Passou para a equipe' : '')}
      </Text>
      <Text size="xs" c="dimmed">
        {moneyOf(costMicros)} · {secondsText(ms)}
      </Text>
    </>
  )
}
