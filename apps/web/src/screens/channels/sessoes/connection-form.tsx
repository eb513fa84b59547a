import type { Connection } from '@balcao/contract/channels/connections.ts'
import { configOn, type Gateway, type Host, isGateway } from '@balcao/contract/channels/hosts.ts'
import { abilitiesOf, type ChannelKind, channels, configFields } from '@balcao/contract/channels/index.ts'
import { optionsFor } from '@balcao/contract/channels/options.ts'
import { type Integration, integrationResource } from '@balcao/contract/core/integrations/index.ts'
import { filledAddress, type Provider } from '@balcao/contract/core/providers/define.ts'
import {
  type ConfigField as Field,
  fieldsOf,
  configProblems as optionProblems,
} from '@balcao/contract/core/providers/fields.ts'
import { type Queue, queueResource } from '@balcao/contract/service/queues.ts'
import { unknownVariables } from '@balcao/contract/variables.ts'
import { Button, Divider, Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link } from 'react-router'
import {
  type ConnectionDraft,
  gatewayList,
  useSaveConnection,
  useTestConnection,
} from '../../../features/channels/connections/api.ts'
import { ConnectionState } from '../../../features/channels/connections/connection-state.tsx'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { configProblems, configValues, readConfig } from '../../../features/core/providers/config-values.ts'
import { ProviderCheck } from '../../../features/core/providers/provider-check.tsx'
import { ProviderFields } from '../../../features/core/providers/provider-fields.tsx'
import { ProviderPreview } from '../../../features/core/providers/provider-preview.tsx'
import { StepsAfter, StepsBefore } from '../../../features/core/providers/setup-steps.tsx'
import { allRows } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useRowForm } from '../../../kit/use-row-form.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { HostField } from './host-field.tsx'
import { MailAccountField } from './mail-account-field.tsx'
import { OptionField } from './option-field.tsx'
import { useWhoSees } from './use-who-sees.ts'

type Props = {
  kind: ChannelKind
  /** Null while it is being created. */
  connection: Connection | null
  onClose: () => void
  onSaved: (saved: Connection) => void
  onDelete: () => void
}

/** Everything about one connection; what belongs to the provider is drawn from the channel's definition. */
export const ConnectionForm = (props: Props) => {
  const queues = useQuery(allRows<Queue>(queueResource))
  const gateways = useQuery({ ...gatewayList, enabled: isGateway(props.kind) })
  // A new channel begins in the first queue and on the server that is there, so the form waits to know them.
  if (!props.connection && (queues.isPending || gateways.isLoading)) return null
  const offered = offeredBy(gateways.data?.find(({ kind }) => kind === props.kind))
  return <Form {...props} queues={queues.data ?? []} offered={offered} />
}

type FormProps = Props & { queues: Queue[] /** Servers that are there for it. */; offered: Host[] }
const Form = ({ kind, connection, queues, offered, onClose, onSaved, onDelete }: FormProps) => {
  const whoSees = useWhoSees()
  const mayProxy = useCan('integrations.write')
  const integrations = useQuery({ ...allRows<Integration>(integrationResource), enabled: mayProxy })
  const proxies = (integrations.data ?? []).filter(({ family }) => family === 'proxy')
  const saving = useSaveConnection()
  const test = useTestConnection()
  const provider: Provider = channels[kind]
  const settingsPath = provider.settingsPage && filledAddress(provider.settingsPage.path, { ...connection })
  const fields = configFields(kind)
  const optionFields = fieldsOf(optionsFor(connection?.abilities ?? abilitiesOf(kind, {})))
  const { form, drawer, conflict } = useRowForm<Connection, ConnectionDraft>({
    row: connection,
    valuesOf: (of) => draftOf(kind, of, queues, offered),
    validate: (values) => problemsOf(kind, values, connection),
    save: (values, base) => {
      const draft = {
        ...values,
        name: values.name.trim(),
        config: readConfig(configOn(kind, values.host), values.config),
      }
      draft.options = filledIn(values.options, optionFields)
      if (values.host === 'installation') draft.proxyId = null
      return saving.mutateAsync({ kind, connection: base, draft })
    },
    onSaved,
    labelOf: (path) => labelOf(fields, optionFields, path),
    textOf: (field, of) => (field === 'queueId' ? (of.queue?.name ?? 'Sem fila') : undefined),
  })

  return (
    <FormDrawer
      opened
      title={connection ? connection.name : `Adicionar ${channels[kind].label}`}
      onClose={onClose}
      {...drawer}
      submitLabel={connection ? 'Salvar' : 'Adicionar'}
      footer={
        connection && (
          <Button variant="subtle" color="red" onClick={onDelete}>
            Excluir
          </Button>
        )
      }
    >
      {conflict && <ConflictNotice {...conflict} />}
      {connection && (
        <ProviderCheck test={test} id={connection.id} dirty={drawer.dirty}>
          <ConnectionState status={connection.status} />
          {connection.statusText && connection.statusText !== 'Conectado.' && <div>{connection.statusText}</div>}
        </ProviderCheck>
      )}
      {connection ? (
        <StepsAfter
          provider={provider}
          label="Como ligar este canal"
          values={{ ...connection.config, ...addressesOf(connection) }}
        />
      ) : (
        !form.values.host && <StepsBefore provider={provider} values={form.values.config} />
      )}
      <TextInput
        label="Nome"
        description="Como a equipe reconhece este canal."
        required
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <HostField
        offered={connection?.host ? [...new Set([connection.host, ...offered])] : offered}
        {...form.getInputProps('host')}
      />
      {connection && settingsPath && (
        <Button component={Link} to={settingsPath} variant="default">
          {provider.settingsPage?.label}
        </Button>
      )}
      <ProviderFields
        config={configOn(kind, form.values.host)}
        form={form}
        stored={connection?.config ?? null}
        drawNamed={(field) => (
          <MailAccountField
            address={String(form.values.config.address ?? '')}
            field={field}
            value={form.values.config[field.name]}
            onChange={(value) => form.setFieldValue(`config.${field.name}`, value)}
            error={form.errors[`config.${field.name}`]}
          />
        )}
      />
      <Select
        label="Fila inicial"
        description={whoSees(form.values.queueId) ?? 'Onde entram os novos atendimentos deste canal.'}
        placeholder="Sem fila"
        data={queues
          .filter((queue) => queue.isActive || queue.id === connection?.queue?.id)
          .map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Sem fila' }}
        {...form.getInputProps('queueId')}
      />
      <Switch
        label="Canal padrão"
        description={`O escolhido por si quando houver mais de um canal de ${channels[kind].label}.`}
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
      {proxies.length > 0 && kind !== 'webchat' && form.values.host !== 'installation' && (
        <Select
          label="Proxy"
          description="Por onde este canal fala com o provedor. Se ele cair, o canal para."
          placeholder="Sem proxy"
          data={proxies.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          clearButtonProps={{ 'aria-label': 'Sem proxy' }}
          {...form.getInputProps('proxyId')}
        />
      )}
      {optionFields.map((field) => (
        <Fragment key={field.name}>
          {field.section && <Divider label={field.section} labelPosition="left" mt="xs" />}
          <OptionField
            field={field}
            value={form.values.options[field.name]}
            onChange={(value) => form.setFieldValue(`options.${field.name}`, value)}
            error={form.errors[`options.${field.name}`]}
          />
        </Fragment>
      ))}
      {connection && <ProviderPreview provider={provider} row={connection} dirty={drawer.dirty} />}
    </FormDrawer>
  )
}

/** The address of a whole app of the provider is that of the connection without its own name. */
const addressesOf = ({ webhookUrl, channelKey }: Connection) => ({
  webhookUrl,
  appWebhookUrl: webhookUrl.slice(0, Math.max(0, webhookUrl.lastIndexOf('/'))),
  channelKey,
})

const offeredBy = (gateway: Gateway | undefined): Host[] => [
  ...(gateway?.company ? (['company'] as const) : []),
  ...(gateway?.installation ? (['installation'] as const) : []),
]

const draftOf = (
  kind: ChannelKind,
  connection: Connection | null,
  queues: Queue[],
  offered: Host[],
): ConnectionDraft => ({
  name: connection?.name ?? channels[kind].label,
  isDefault: connection?.isDefault ?? false,
  queueId: connection ? (connection.queue?.id ?? null) : firstOf(queues),
  farewellMessage: connection?.farewellMessage ?? '',
  sendEvaluation: connection?.sendEvaluation ?? false,
  proxyId: connection?.proxyId ?? null,
  host: connection ? connection.host : (offered[0] ?? null),
  options: connection?.options ?? {},
  config: configValues(channels[kind].config, connection?.config ?? null),
})

/** What was emptied takes its usual course again; where that is the company's, off is a choice. */
const filledIn = (options: ConnectionDraft['options'], fields: readonly Field[]) => {
  const followed = new Set(fields.filter(({ follows }) => follows).map(({ name }) => name))
  const isChosen = ([name, value]: [string, unknown]) =>
    value !== null && value !== '' && (value !== false || followed.has(name))
  return Object.fromEntries(Object.entries(options).filter(isChosen))
}

const firstOf = (queues: Queue[]): string | null =>
  queues.filter((queue) => queue.isActive).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))[0]?.id ?? null

const problemsOf = (kind: ChannelKind, values: ConnectionDraft, connection: Connection | null) => {
  const problems = configProblems(configOn(kind, values.host), values.config, connection?.config ?? null)
  const schema = optionsFor(connection?.abilities ?? abilitiesOf(kind, {}))
  problems.push(...optionProblems(schema, filledIn(values.options, fieldsOf(schema)), null, 'options'))
  const named = values.name.trim() ? problems : [{ path: 'name', message: 'Informe o nome.' }, ...problems]
  const [unknown] = unknownVariables(values.farewellMessage)
  if (unknown) named.push({ path: 'farewellMessage', message: `A variável {{${unknown}}} não existe.` })
  return Object.fromEntries(named.map((one) => [one.path, one.message]))
}

const labelOf = (fields: readonly Field[], optionFields: readonly Field[], path: string) => {
  const own: Record<string, string> = {
    name: 'Nome',
    queueId: 'Fila inicial',
    isDefault: 'Canal padrão',
    farewellMessage: 'Despedida',
    sendEvaluation: 'Pedir avaliação ao encerrar',
    proxyId: 'Proxy',
    host: 'Servidor',
    config: 'Dados do canal',
  }
  const field =
    fields.find(({ name }) => `${path}.`.startsWith(`config.${name}.`)) ??
    optionFields.find(({ name }) => path === `options.${name}`)
  return own[path] ?? field?.label ?? path
}
