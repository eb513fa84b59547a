import {
  type AssistantCase,
  type AssistantEvaluation,
  assistantCaseResource,
  type Expectation,
  expectationKinds,
  expectationLabels,
} from '@balcao/contract/automation/assistants/evaluation.ts'
import { ActionIcon, Badge, Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountsQuery, casesQuery, evaluate, evaluationsQuery } from '../../../features/automation/assistants/api.ts'
import { costText } from '../../../features/automation/assistants/cost.ts'
import { api } from '../../../kit/api.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { deleteRow } from '../../../kit/resource-api.ts'
import { notify } from '../../../ui/notify.ts'
import classes from './editor.module.css'

const own = 'proprio'
/** Conversations whose outcome is known, and how the draft, what is published or another account does on them. */
export const CasesTab = ({ assistantId, isPublished }: { assistantId: string; isPublished: boolean }) => {
  const cache = useQueryClient()
  const cases = useQuery(casesQuery(assistantId))
  const evaluations = useQuery(evaluationsQuery(assistantId))
  const accounts = useQuery(accountsQuery).data ?? []
  const [account, setAccount] = useState<string>(own)
  const [of, setOf] = useState<'draft' | 'published'>('draft')
  const [edited, setEdited] = useState<AssistantCase | 'new' | null>(null)
  const renew = () => void cache.invalidateQueries({ queryKey: ['resource', assistantCaseResource.event] })
  const play = useMutation({
    mutationFn: () => evaluate(assistantId, { of, integrationId: account === own ? null : account }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: ['assistant-evaluations', assistantId] }),
    onError: (error) => notify.error(messageOf(error)),
  })
  const remove = useMutation({
    mutationFn: (id: string) => deleteRow(assistantCaseResource, id),
    onSuccess: renew,
    onError: (error) => notify.error(messageOf(error)),
  })
  const nameOf = (one: AssistantEvaluation) =>
    accounts.find(({ id }) => id === one.integrationId)?.name ?? 'Conta do assistente'
  return (
    <div className={classes.column}>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Casos</legend>
        <Text size="sm" c="dimmed">
          Conversas de exemplo e o que se espera delas. Publicar confere todas.
        </Text>
        {cases.data?.map((one) => (
          <div key={one.id} className={classes.caseRow}>
            <div>
              <Text size="sm" fw={600}>
                {one.name}
              </Text>
              <Text size="xs" c="dimmed">
                {one.lines.join(' → ')}
              </Text>
              <Text size="xs">
                {one.expects
                  .map(({ kind, value }) => [expectationLabels[kind], value].filter(Boolean).join(': '))
                  .join(' · ')}
              </Text>
            </div>
            <Group gap={4} wrap="nowrap">
              <Button size="compact-sm" variant="subtle" onClick={() => setEdited(one)}>
                Alterar
              </Button>
              <ActionIcon size={32} aria-label={`Excluir ${one.name}`} onClick={() => remove.mutate(one.id)}>
                <IconTrash size={16} stroke={1.75} />
              </ActionIcon>
            </Group>
          </div>
        ))}
        <Button variant="default" leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setEdited('new')}>
          Criar caso
        </Button>
      </fieldset>
      {(cases.data?.length ?? 0) > 0 && (
        <fieldset className={classes.group}>
          <legend className={classes.legend}>Avaliações</legend>
          <Group align="flex-end">
            <Select
              label="O quê"
              w={160}
              allowDeselect={false}
              data={[
                { value: 'draft', label: 'O rascunho salvo' },
                { value: 'published', label: 'O que está publicado', disabled: !isPublished },
              ]}
              value={of}
              onChange={(value) => setOf(value === 'published' ? 'published' : 'draft')}
            />
            <Select
              label="Com"
              w={220}
              allowDeselect={false}
              data={[
                { value: own, label: 'Conta do assistente' },
                ...accounts.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={account}
              onChange={(value) => setAccount(value ?? own)}
            />
            <Button
              leftSection={<IconPlayerPlay size={17} aria-hidden />}
              loading={play.isPending}
              onClick={() => play.mutate()}
            >
              Avaliar agora
            </Button>
          </Group>
          {evaluations.data?.map((one) => (
            <details key={one.id}>
              <summary style={{ cursor: 'pointer' }}>
                <Text span size="sm">
                  <Badge color={one.passed === one.total ? 'green' : 'red'} variant="light" mr={6}>
                    {one.passed} de {one.total}
                  </Badge>
                  {[
                    one.isPublished ? 'Publicado' : 'Rascunho',
                    nameOf(one),
                    formatDateTime(one.createdAt),
                    costText(one.costMicros),
                    `${(one.ms / 1_000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} s por caso`,
                  ].join(' · ')}
                </Text>
              </summary>
              <Stack gap={6} mt={6}>
                {one.results.map((result) => (
                  <div key={result.caseId}>
                    <Text size="sm" fw={600} c={result.isPassed ? undefined : 'red'}>
                      {result.isPassed ? 'Passou' : 'Não passou'}: {result.name}
                    </Text>
                    {result.problems.map((problem) => (
                      <Text key={problem} size="xs">
                        {problem}
                      </Text>
                    ))}
                    <Text size="xs" c="dimmed" style={{ whiteSpace: 'pre-wrap' }}>
                      {result.answers.filter(Boolean).join('\n') || '(sem resposta)'}
                    </Text>
                  </div>
                ))}
              </Stack>
            </details>
          ))}
        </fieldset>
      )}
      {edited && (
        <CaseDialog
          assistantId={assistantId}
          row={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => {
            renew()
            setEdited(null)
          }}
        />
      )}
    </div>
  )
}

type DialogProps = { assistantId: string; row: AssistantCase | null; onClose: () => void; onSaved: () => void }
const kinds = expectationKinds.map((value) => ({ value, label: expectationLabels[value] }))
const hasValue = (kind: Expectation['kind']) => kind !== 'handsOver' && kind !== 'staysOn'

const CaseDialog = ({ assistantId, row, onClose, onSaved }: DialogProps) => {
  const [name, setName] = useState(row?.name ?? '')
  const [lines, setLines] = useState(row?.lines.join('\n') ?? '')
  const [expects, setExpects] = useState<Expectation[]>(row?.expects ?? [{ kind: 'contains', value: '' }])
  const save = useMutation({
    mutationFn: () => {
      const body = {
        ...{ assistantId, name, expects },
        lines: lines
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
      }
      return row
        ? api.put(`${assistantCaseResource.path}/${row.id}`, { ...body, version: row.version })
        : api.post(assistantCaseResource.path, body)
    },
    onSuccess: onSaved,
  })
  const change = (at: number, next: Expectation) => setExpects(expects.map((one, place) => (place === at ? next : one)))
  return (
    <Modal
      opened
      onClose={onClose}
      title={row ? 'Alterar caso' : 'Criar caso'}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack gap="sm">
          <TextInput
            data-autofocus
            required
            label="Nome"
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            required
            label="O que o cliente escreve"
            description="Uma mensagem por linha."
            autosize
            minRows={2}
            value={lines}
            onChange={(event) => setLines(event.currentTarget.value)}
          />
          {expects.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: expectations have no id, and stay in their places
            <Group key={at} wrap="nowrap" align="flex-end">
              <Select
                label={at ? undefined : 'O que se espera'}
                aria-label="O que se espera"
                data={kinds}
                allowDeselect={false}
                value={one.kind}
                onChange={(kind) => {
                  const next = expectationKinds.find((known) => known === kind) ?? one.kind
                  change(at, { kind: next, value: hasValue(next) ? one.value : '' })
                }}
              />
              {hasValue(one.kind) && (
                <TextInput
                  aria-label="Texto esperado"
                  maxLength={200}
                  style={{ flex: 1 }}
                  value={one.value}
                  onChange={(event) => change(at, { ...one, value: event.currentTarget.value })}
                />
              )}
              {expects.length > 1 && (
                <ActionIcon
                  size={36}
                  aria-label="Tirar"
                  onClick={() => setExpects(expects.filter((_, place) => place !== at))}
                >
                  <IconTrash size={16} stroke={1.75} />
                </ActionIcon>
              )}
            </Group>
          ))}
          {expects.length < 10 && (
            <Button
              variant="subtle"
              size="compact-sm"
              style={{ alignSelf: 'start' }}
              onClick={() => setExpects([...expects, { kind: 'neverSays', value: '' }])}
            >
              Esperar mais uma coisa
            </Button>
          )}
          {save.isError && (
            <Text size="sm" c="red" role="alert">
              {(isApiError(save.error) && save.error.problems[0]?.message) || messageOf(save.error)}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={save.isPending}>
              Salvar
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
