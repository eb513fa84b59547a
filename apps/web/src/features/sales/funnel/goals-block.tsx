import type { Goal, GoalMeasure, GoalsWrite } from '@balcao/contract/sales/goals.ts'
import { ActionIcon, Button, Group, Modal, Progress, Select, Stack, Text, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../../kit/api.ts'
import { byField, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { formatCents, formatNumber } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { MoneyField } from '../../../ui/money-input.tsx'
import { notify } from '../../../ui/notify.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { userOptions } from '../../people/users/api.ts'
import { opportunitiesKey } from './api.ts'
import classes from './funnel.module.css'
import { monthText } from './words.ts'

type Of = { pipelineId: string; month: string }
const goalsQuery = (of: Of) =>
  queryOptions({
    // Renewed with opportunities: what is won counts at once.
    queryKey: [...opportunitiesKey, 'goals', of],
    queryFn: async ({ signal }) => (await api.get<{ items: Goal[] }>('/funnel-goals', { query: of, signal })).items,
  })
const amount = (measure: GoalMeasure, value: number) =>
  measure === 'value' ? formatCents(value) : `${formatNumber(value)} ${value === 1 ? 'ganha' : 'ganhas'}`

/** What is to be won in a month and how far it is, of the team and of each person; set by whoever leads. */
export const GoalsBlock = ({ of }: { of: Of }) => {
  const goals = useQuery(goalsQuery(of))
  const mayManage = useCan('funnel.manage')
  const [isSetting, setSetting] = useState(false)
  const rows = goals.data ?? []
  if (!rows.length && !mayManage) return null
  return (
    <section className={classes.block} aria-label="Metas">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          Metas de {monthText(of.month)}
        </Title>
        {mayManage && goals.data && (
          <Button size="compact-sm" variant="default" onClick={() => setSetting(true)}>
            Definir metas
          </Button>
        )}
      </Group>
      {rows.length === 0 && goals.data && (
        <Text size="sm" c="dimmed">
          Nenhuma meta neste mês. Defina quanto a equipe, ou cada pessoa, deve ganhar.
        </Text>
      )}
      <ul className={classes.goals}>
        {rows.map((goal) => {
          const { user, measure, target, reached } = goal
          const who = user?.name ?? 'Equipe'
          const share = Math.round((reached / target) * 100)
          return (
            <li key={`${user?.id}${measure}`}>
              <span className={classes.goal}>
                <strong className="truncate">{who}</strong>
                <span className="tabular">
                  {amount(measure, reached)} de {amount(measure, target)} · {share}%
                </span>
              </span>
              <Progress
                value={Math.min(100, share)}
                color={share >= 100 ? 'green' : undefined}
                aria-label={`Meta de ${who}`}
              />
            </li>
          )
        })}
      </ul>
      {isSetting && <GoalsModal of={of} rows={rows} onClose={() => setSetting(false)} />}
    </section>
  )
}

type Draft = GoalsWrite['goals'][number]
const measures = [
  { value: 'value', label: 'em reais' },
  { value: 'wins', label: 'em ganhas' },
]
const team = 'equipe'

const GoalsModal = ({ of, rows, onClose }: { of: Of; rows: readonly Goal[]; onClose: () => void }) => {
  const cache = useQueryClient()
  const people = useQuery(userOptions).data ?? []
  const [drafts, setDrafts] = useState<Draft[]>(
    rows.length
      ? rows.map(({ user, measure, target }) => ({ userId: user?.id ?? null, measure, target }))
      : [{ userId: null, measure: 'value', target: 0 }],
  )
  const [problem, setProblem] = useState('')
  /** By the place of the goal and the field. */
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const change = (next: Draft[]) => {
    setDrafts(next)
    setErrors({})
  }
  const set = (at: number, patch: Partial<Draft>) =>
    change(drafts.map((one, index) => (index === at ? { ...one, ...patch } : one)))
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      const { items } = await api.put<{ items: Goal[] }>('/funnel-goals', { ...of, goals: drafts })
      cache.setQueryData(goalsQuery(of).queryKey, items)
      notify.success('Metas salvas.')
      onClose()
    } catch (error) {
      const found = problemsOf(error)
      setErrors(byField(found))
      if (!found.length) setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<Text fw={600}>Metas de {monthText(of.month)}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={(event) => void handleSubmit(event)}>
        <Stack gap="sm">
          {drafts.map((draft, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
            <div key={at} className={classes.goalLine}>
              <Select
                aria-label={`De quem é a meta ${at + 1}`}
                allowDeselect={false}
                searchable
                nothingFoundMessage="Nada encontrado"
                data={[{ value: team, label: 'Equipe' }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
                value={draft.userId ?? team}
                error={errors[`goals.${at}.userId`]}
                onChange={(id) => set(at, { userId: id === team ? null : id })}
              />
              <Select
                aria-label={`Medida da meta ${at + 1}`}
                allowDeselect={false}
                data={measures}
                value={draft.measure}
                onChange={(measure) => set(at, { measure: measure === 'wins' ? 'wins' : 'value', target: 0 })}
              />
              {draft.measure === 'value' ? (
                <MoneyField
                  aria-label={`Valor da meta ${at + 1}`}
                  cents={draft.target}
                  error={errors[`goals.${at}.target`]}
                  onCents={(target) => set(at, { target })}
                />
              ) : (
                <NumberField
                  aria-label={`Valor da meta ${at + 1}`}
                  min={0}
                  allowDecimal={false}
                  value={draft.target}
                  error={errors[`goals.${at}.target`]}
                  onChange={(target) => set(at, { target })}
                />
              )}
              <ActionIcon
                size={36}
                aria-label={`Remover a meta ${at + 1}`}
                onClick={() => change(drafts.filter((_, index) => index !== at))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </div>
          ))}
          <Button
            size="xs"
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              const next = people.find(({ id }) => !drafts.some(({ userId }) => userId === id))
              change([...drafts, { userId: next?.id ?? null, measure: 'value', target: 0 }])
            }}
          >
            Adicionar meta
          </Button>
          {problem && (
            <Text size="sm" c="red" role="alert">
              {problem}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={busy}>
              Salvar
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
