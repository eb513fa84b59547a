import { type Integration, type IntegrationKind, integrations } from '@balcao/contract/core/integrations/index.ts'
import type { Provider } from '@balcao/contract/core/providers/define.ts'
import { fieldsOf } from '@balcao/contract/core/providers/fields.ts'
import { Button, TextInput } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRowForm } from '../../../kit/use-row-form.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { configProblems, configValues, readConfig } from '../providers/config-values.ts'
import { ProviderCheck } from '../providers/provider-check.tsx'
import { ProviderFields } from '../providers/provider-fields.tsx'
import { StepsAfter, StepsBefore } from '../providers/setup-steps.tsx'
import { clientsQuery, type IntegrationDraft, useConsent, useSaveIntegration, useTestIntegration } from './api.ts'
import { IntegrationDeliveries } from './integration-deliveries.tsx'
import { IntegrationState } from './integration-state.tsx'
import { ModelField } from './model-field.tsx'

type Props = {
  kind: IntegrationKind
  row: Integration | null
  onClose: () => void
  onSaved: (saved: Integration) => void
  onDelete: (() => void) | undefined
}

/** One account of the company; everything about it is drawn from its provider's definition. */
export const IntegrationForm = (props: Props) => {
  const provider: Provider = integrations[props.kind]
  const clients = useQuery({ ...clientsQuery, enabled: provider.oauth !== undefined })
  // A new account begins with the installation's client, so the form waits to know whether there is one.
  if (clients.isLoading) return null
  return <Form {...props} provider={provider} hasClient={clients.data?.kinds.includes(props.kind) ?? false} />
}

type FormProps = Props & { provider: Provider /** Of the installation. */; hasClient: boolean }
const Form = ({ kind, row, provider, hasClient, onClose, onSaved, onDelete }: FormProps) => {
  const mayLendClient = hasClient || row?.config.ownClient === false
  const saving = useSaveIntegration()
  const fields = fieldsOf(provider.config)
  const { form, drawer, conflict } = useRowForm<Integration, IntegrationDraft>({
    row,
    valuesOf: (of) => ({
      kind,
      name: of?.name ?? provider.label,
      config: {
        ...configValues(provider.config, of?.config ?? null),
        ...(!of && provider.oauth && { ownClient: !hasClient }),
      },
    }),
    validate: ({ name, config }) => {
      const problems = configProblems(provider.config, config, row?.config ?? null)
      const named = name.trim() ? problems : [{ path: 'name', message: 'Informe o nome.' }, ...problems]
      return Object.fromEntries(named.map((one) => [one.path, one.message]))
    },
    save: (draft, base) =>
      saving.mutateAsync({ draft: { ...draft, config: readConfig(provider.config, draft.config) }, row: base }),
    onSaved,
    labelOf: (path) =>
      path === 'name' ? 'Nome' : (fields.find(({ name }) => path === `config.${name}`)?.label ?? 'Dados da conta'),
  })
  return (
    <FormDrawer
      opened
      title={row ? row.name : `Adicionar ${provider.label}`}
      onClose={onClose}
      {...drawer}
      submitLabel={row ? 'Salvar' : 'Adicionar'}
      footer={
        onDelete && (
          <Button variant="subtle" color="red" onClick={onDelete}>
            Excluir
          </Button>
        )
      }
    >
      {conflict && <ConflictNotice {...conflict} />}
      {row && <Check row={row} oauthLabel={provider.oauth?.label} dirty={drawer.dirty} />}
      {row && 'hearsEvents' in provider && <IntegrationDeliveries row={row} />}
      {row ? (
        <StepsAfter provider={provider} label="Como ligar esta conta" values={{ ...row.config, id: row.id }} />
      ) : (
        <StepsBefore provider={provider} values={form.values.config} />
      )}
      <TextInput
        label="Nome"
        description="Como a equipe reconhece esta conta."
        required
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ProviderFields
        config={provider.config}
        form={form}
        stored={row?.config ?? null}
        without={mayLendClient ? [] : ['ownClient']}
        drawSuggested={(field) => (
          <ModelField
            kind={kind}
            id={row?.id}
            field={field}
            config={readConfig(provider.config, form.values.config)}
            form={form}
          />
        )}
      />
    </FormDrawer>
  )
}

/** Its state, and the buttons that change it. */
const Check = ({ row, oauthLabel, dirty }: { row: Integration; oauthLabel: string | undefined; dirty: boolean }) => {
  const test = useTestIntegration()
  const consent = useConsent()
  return (
    <ProviderCheck
      test={test}
      id={row.id}
      dirty={dirty}
      disabled={row.isAuthorized === false}
      problem={consent.error}
      actions={
        oauthLabel && (
          <Button
            variant={row.isAuthorized ? 'default' : 'filled'}
            size="xs"
            leftSection={<IconExternalLink size={16} aria-hidden />}
            loading={consent.isPending}
            disabled={dirty}
            onClick={() => consent.mutate(row.id)}
          >
            {row.isAuthorized ? 'Autorizar outra vez' : oauthLabel}
          </Button>
        )
      }
    >
      <IntegrationState of={row} />
      {row.stateText && <div>{row.stateText}</div>}
    </ProviderCheck>
  )
}
