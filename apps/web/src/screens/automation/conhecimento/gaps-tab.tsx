import {
  type GapState,
  gapStateLabels,
  gapStates,
  type KnowledgeGap,
} from '@balcao/contract/automation/assistants/knowledge.ts'
import { Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { basesQuery } from '../../../features/automation/assistants/api.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { notify } from '../../../ui/notify.ts'
import { gapsList, settleGap } from './knowledge-api.ts'

const states = gapStates.map((value) => ({ value, label: gapStateLabels[value] }))

/** What customers asked and nothing here answered: answered at once, or left aside. */
export const GapsTab = ({ tabs }: { tabs: ReactNode }) => {
  const cache = useQueryClient()
  const [searchParam] = useUrlState('busca')
  const [chosen, setChosen] = useUrlState('situacao', 'open')
  const state: GapState = gapStates.find((one) => one === chosen) ?? 'open'
  const list = useInfiniteQuery({
    ...gapsList({ state, searchParam }),
    placeholderData: keepRows,
    staleTime: 0,
  })
  const [answering, setAnswering] = useState<KnowledgeGap | null>(null)
  const renew = () => void cache.invalidateQueries({ queryKey: ['knowledge-gaps'] })
  const settle = useMutation({
    mutationFn: ({ id, to }: { id: string; to: GapState }) => settleGap(id, { state: to }),
    onSuccess: renew,
    onError: (error) => notify.error(messageOf(error)),
  })
  return (
    <>
      <ReadingScreen<KnowledgeGap>
        title="Conhecimento"
        purpose="O que os clientes perguntaram e nenhuma base respondia."
        searchLabel="Buscar pergunta"
        filters={
          <>
            {tabs}
            <Select
              aria-label="Situação"
              data={states}
              allowDeselect={false}
              value={state}
              onChange={(value) => setChosen(value ?? 'open')}
            />
          </>
        }
        list={list}
        rowName={(row) => row.question}
        shown="exibidas"
        empty={{
          title: state === 'open' ? 'Nada ficou sem resposta' : 'Nada aqui',
          text: 'Quando um assistente não encontrar o que lhe perguntam, a pergunta aparece aqui.',
        }}
        under={(row) => (
          <>
            {formatNumber(row.times)} {row.times === 1 ? 'vez' : 'vezes'}
            {row.assistant && ` · ${row.assistant.name}`}
          </>
        )}
        columns={[
          { key: 'question', label: 'Pergunta', render: (row) => row.question },
          {
            key: 'times',
            label: 'Vezes',
            width: 80,
            wideOnly: true,
            render: (row) => <span className="tabular">{formatNumber(row.times)}</span>,
          },
          {
            key: 'assistant',
            label: 'Assistente',
            width: 160,
            wideOnly: true,
            render: (row) => row.assistant?.name ?? '—',
          },
          {
            key: 'lastAt',
            label: 'Última vez',
            width: 120,
            wideOnly: true,
            render: (row) => <RelativeTime moment={row.lastAt} />,
          },
          {
            key: 'state',
            label: 'O que fazer',
            width: 190,
            render: (row) => (
              <Group gap={4}>
                <Button
                  size="compact-sm"
                  variant="light"
                  aria-label={`Responder “${row.question}”`}
                  onClick={() => setAnswering(row)}
                >
                  Responder
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={`${state === 'ignored' ? 'Reabrir' : 'Ignorar'} “${row.question}”`}
                  onClick={() => settle.mutate({ id: row.id, to: state === 'ignored' ? 'open' : 'ignored' })}
                >
                  {state === 'ignored' ? 'Reabrir' : 'Ignorar'}
                </Button>
              </Group>
            ),
          },
        ]}
      />
      {answering && (
        <AnswerDialog
          gap={answering}
          onClose={() => setAnswering(null)}
          onSaved={() => {
            renew()
            setAnswering(null)
          }}
        />
      )}
    </>
  )
}

const AnswerDialog = ({ gap, onClose, onSaved }: { gap: KnowledgeGap; onClose: () => void; onSaved: () => void }) => {
  const bases = useQuery(basesQuery).data ?? []
  const [chosen, setBase] = useState<string | null>(null)
  const [body, setBody] = useState('')
  const baseId = chosen ?? bases[0]?.id ?? null
  const save = useMutation({
    mutationFn: () => settleGap(gap.id, { state: 'answered', answer: { baseId: baseId ?? '', body } }),
    onSuccess: () => {
      notify.success('Resposta guardada na base.')
      onSaved()
    },
  })
  return (
    <Modal opened onClose={onClose} title="Responder" closeButtonProps={{ 'aria-label': 'Fechar' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack gap="sm">
          <Text size="sm" fw={600}>
            {gap.question}
          </Text>
          <Textarea
            data-autofocus
            required
            label="Resposta"
            description="Vai para a base; os assistentes respondem com ela daqui em diante."
            autosize
            minRows={4}
            maxLength={10_000}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
          <Select
            label="Base"
            allowDeselect={false}
            data={bases.map(({ id, name }) => ({ value: id, label: name }))}
            value={baseId}
            onChange={setBase}
          />
          {save.isError && (
            <Text size="sm" c="red" role="alert">
              {(isApiError(save.error) && save.error.problems[0]?.message) || messageOf(save.error)}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!body.trim() || !baseId}>
              Guardar resposta
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
