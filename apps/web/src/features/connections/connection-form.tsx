import { configFields, type ConfigField as Field } from '@balcao/contract/channels/fields.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { Connection } from '@balcao/contract/connections.ts'
import { type Queue, queueResource } from '@balcao/contract/queues.ts'
import { unknownVariables } from '@balcao/contract/variables.ts'
import { Alert, Button, Select, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError, messageOf } from '../../kit/api-error.ts'
import { allRows } from '../../kit/resource-api.ts'
import { ConflictNotice } from '../../ui/conflict-notice.tsx'
import { FormDrawer } from '../../ui/form-drawer.tsx'
import { VariableTextarea } from '../variables/variable-textarea.tsx'
import { type ConnectionDraft, connectionList, useSaveConnection, useTestConnection } from './api.ts'
import { ConfigField } from './config-field.tsx'
import { configProblems, configValues, readConfig } from './config-values.ts'
import { ConnectionState } from './connection-state.tsx'
import { StepsAfter, StepsBefore } from './setup-steps.tsx'
import { WebchatPreview } from './webchat-preview.tsx'

type Props = {
  kind: ChannelKind
  /** Null while it is being created. */
  connection: Connection | null
  onClose: () => void
  onSaved: (saved: Connection) => void
  onDelete: () => void
}

/** Everything about one connection; what belongs to the provider is drawn from the channel's definition. */
export const ConnectionForm = ({ kind, connection, onClose, onSaved, onDelete }: Props) => {
  const cache = useQueryClient()
  const queues = useQuery(allRows<Queue>(queueResource))
  const saving = useSaveConnection()
  const test = useTestConnection()
  const [problem, setProblem] = useState<string | null>(null)
  const [isStale, setStale] = useState(false)
  const [base, setBase] = useState(connection)
  const fields = configFields(kind)
  const form = useForm<ConnectionDraft>({
    initialValues: draftOf(kind, connection),
    validate: (values) => problemsOf(kind, values, connection),
    validateInputOnBlur: true,
  })

  const save = async (over: Connection | null) => {
    setProblem(null)
    setStale(false)
    const values = form.getValues()
    try {
      const draft = { ...values, name: values.name.trim(), config: readConfig(kind, values.config) }
      const saved = await saving.mutateAsync({ kind, connection: over, draft })
      const next = draftOf(kind, saved)
      form.setValues(next)
      form.resetDirty(next)
      setBase(saved)
      onSaved(saved)
    } catch (error) {
      if (isApiError(error, 'ERR_CONFLICT')) return setStale(true)
      const problems = isApiError(error) ? error.problems : []
      form.setErrors(Object.fromEntries(problems.map((one) => [one.path, one.message])))
      setProblem(messageOf(error))
    }
  }

  const readTheirs = async () => {
    const rows = await cache.fetchQuery({ ...connectionList, staleTime: 0 }).catch(() => [])
    return rows.find((one) => one.id === connection?.id) ?? null
  }
  const handleReload = async () => {
    const theirs = await readTheirs()
    if (!theirs) return onClose()
    const next = draftOf(kind, theirs)
    form.setValues(next)
    form.resetDirty(next)
    setBase(theirs)
    setStale(false)
  }

  const fieldErrors = Object.entries(form.errors).map(
    ([path, message]) => `${labelOf(fields, path)}: ${String(message)}`,
  )
  return (
    <FormDrawer
      opened
      title={connection ? connection.name : `Adicionar ${channels[kind].label}`}
      onClose={onClose}
      onSubmit={form.onSubmit(() => void save(base))}
      dirty={form.isDirty()}
      busy={saving.isPending}
      submitLabel={connection ? 'Salvar' : 'Adicionar'}
      problems={fieldErrors.length > 1 || (problem && fieldErrors.length > 0) ? fieldErrors : problem ? [problem] : []}
      footer={
        connection && (
          <Button variant="subtle" color="red" onClick={onDelete}>
            Excluir
          </Button>
        )
      }
    >
      {isStale && (
        <ConflictNotice
          onReload={() => void handleReload()}
          onOverwrite={() => void readTheirs().then((theirs) => (theirs ? save(theirs) : onClose()))}
        />
      )}
      {connection && (
        <Alert variant="default" p="sm">
          <ConnectionState status={connection.status} />
          {connection.statusText && <div>{connection.statusText}</div>}
          <Button
            variant="default"
            size="xs"
            mt="xs"
            leftSection={<IconPlugConnected size={16} aria-hidden />}
            loading={test.isPending}
            disabled={form.isDirty()}
            onClick={() => test.mutate(connection.id)}
          >
            Testar
          </Button>
          {test.isError && (
            <div role="alert" style={{ color: 'var(--mantine-color-error)', marginTop: 8 }}>
              {messageOf(test.error)}
            </div>
          )}
        </Alert>
      )}
      {connection ? <StepsAfter connection={connection} /> : <StepsBefore kind={kind} />}
      <TextInput
        label="Nome"
        description="Como a equipe reconhece este canal."
        required
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      {fields.map((field) => (
        <ConfigField key={field.name} field={field} form={form} isStored={Boolean(connection?.config[field.name])} />
      ))}
      <Select
        label="Fila inicial"
        description="Onde entram os novos atendimentos deste canal."
        placeholder="Sem fila"
        data={(queues.data ?? [])
          .filter((queue) => queue.isActive || queue.id === connection?.queue?.id)
          .map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Sem fila' }}
        {...form.getInputProps('queueId')}
      />
      <Switch
        label="Conexão padrão"
        description={`A escolhida por si quando houver mais de uma de ${channels[kind].label}.`}
        {...form.getInputProps('isDefault', { type: 'checkbox' })}
      />
      <VariableTextarea
        label="Despedida"
        description="Enviada quando alguém da equipe encerra, se não escolher outra mensagem. Vazia: nada é enviado."
        minRows={2}
        maxLength={2_000}
        {...form.getInputProps('farewellMessage')}
        value={form.values.farewellMessage}
      />
      <Switch
        label="Pedir avaliação ao encerrar"
        description="Quem foi atendido recebe a pergunta definida em Avaliações."
        {...form.getInputProps('sendEvaluation', { type: 'checkbox' })}
      />
      {connection?.kind === 'webchat' && <WebchatPreview connection={connection} dirty={form.isDirty()} />}
    </FormDrawer>
  )
}

const draftOf = (kind: ChannelKind, connection: Connection | null): ConnectionDraft => ({
  name: connection?.name ?? channels[kind].label,
  isDefault: connection?.isDefault ?? false,
  queueId: connection?.queue?.id ?? null,
  farewellMessage: connection?.farewellMessage ?? '',
  sendEvaluation: connection?.sendEvaluation ?? false,
  config: configValues(kind, connection?.config ?? null),
})

const problemsOf = (kind: ChannelKind, values: ConnectionDraft, connection: Connection | null) => {
  const problems = configProblems(kind, values.config, connection?.config ?? null)
  const named = values.name.trim() ? problems : [{ path: 'name', message: 'Informe o nome.' }, ...problems]
  const [unknown] = unknownVariables(values.farewellMessage)
  if (unknown) named.push({ path: 'farewellMessage', message: `A variável {{${unknown}}} não existe.` })
  return Object.fromEntries(named.map((one) => [one.path, one.message]))
}

const labelOf = (fields: readonly Field[], path: string) => {
  const own: Record<string, string> = {
    name: 'Nome',
    queueId: 'Fila inicial',
    isDefault: 'Conexão padrão',
    farewellMessage: 'Despedida',
  }
  return own[path] ?? fields.find((field) => path.startsWith(`config.${field.name}`))?.label ?? path
}
