import {
  type AssistantCase,
  assistantCaseResource,
  type Expectation,
  expectationKinds,
  expectationLabels,
} from '@balcao/contract/automation/assistants/evaluation.ts'
import { ActionIcon, Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../kit/api.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'

type Props = { assistantId: string; row: AssistantCase | null; onClose: () => void; onSaved: () => void }
const kinds = expectationKinds.map((value) => ({ value, label: expectationLabels[value] }))
const fresh: Expectation[] = [{ kind: 'contains', value: '' }]
const halfWide = { flex: '1 1 0', minWidth: 0 }
const hasValue = (kind: Expectation['kind']) => kind !== 'handsOver' && kind !== 'staysOn'

/** A conversation, and what is expected of it. */
export const CaseDrawer = ({ assistantId, row, onClose, onSaved }: Props) => {
  const [name, setName] = useState(row?.name ?? '')
  const [lines, setLines] = useState(row?.lines.join('\n') ?? '')
  const [expects, setExpects] = useState<Expectation[]>(row?.expects ?? fresh)
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
  const isChanged =
    JSON.stringify([name, lines, expects]) !==
    JSON.stringify([row?.name ?? '', row?.lines.join('\n') ?? '', row?.expects ?? fresh])
  const change = (at: number, next: Expectation) => setExpects(expects.map((one, place) => (place === at ? next : one)))
  return (
    <FormDrawer
      opened
      title={row ? 'Alterar caso' : 'Criar caso'}
      dirty={isChanged}
      busy={save.isPending}
      problems={save.error ? [reasonOf(save.error)] : []}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
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
            style={halfWide}
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
              style={halfWide}
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
    </FormDrawer>
  )
}
