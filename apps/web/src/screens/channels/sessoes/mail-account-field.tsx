import { email } from '@balcao/contract/common.ts'
import {
  type Integration,
  type IntegrationKind,
  integrationResource,
  integrations,
  mailboxKinds,
} from '@balcao/contract/core/integrations/index.ts'
import type { Provider } from '@balcao/contract/core/providers/define.ts'
import { Alert, Anchor, Button, Group, Input, Stack, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { Link } from 'react-router'
import { clientsQuery, useConnectAccount, useConsent } from '../../../features/core/integrations/api.ts'
import { DrawnField } from '../../../features/service/actions/drawn-field.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { allRows } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'

type Props = ComponentProps<typeof DrawnField> & { /** Of the mailbox, as it was typed. */ address: string }

/** The account a mailbox is entered with: one that is there, or a new one by its owner's consent alone. */
export const MailAccountField = ({ address, ...field }: Props) => {
  const mayIntegrate = useCan('integrations.write')
  const rows = useQuery({ ...allRows<Integration>(integrationResource), enabled: mayIntegrate })
  const clients = useQuery({ ...clientsQuery, enabled: mayIntegrate })
  const accounts = (rows.data ?? []).filter(({ kind }) => mailboxKinds.includes(kind))
  const chosen = accounts.find(({ id }) => id === field.value)
  const kinds = (clients.data?.kinds ?? []).filter((kind) => mailboxKinds.includes(kind))
  if (!mayIntegrate) return <Alert color="gray">Quem cuida das integrações escolhe aqui a conta autorizada.</Alert>
  if (rows.data && clients.data && !accounts.length && !kinds.length)
    return (
      <Alert color="gray" title="Nenhuma conta ainda">
        <Anchor component={Link} to="/configuracoes/integracoes">
          Adicione a conta do Gmail ou do Outlook em Integrações
        </Anchor>{' '}
        e autorize o acesso.
      </Alert>
    )
  return (
    <Stack gap="xs">
      {accounts.length > 0 && <DrawnField {...field} />}
      {kinds.length > 0 && !chosen?.isAuthorized && (
        <ByConsent {...field} kinds={kinds} address={address} accounts={accounts} />
      )}
      {chosen?.isAuthorized && (
        <Text size="sm" c="dimmed" role="status">
          Conta autorizada.
        </Text>
      )}
      {chosen && chosen.isAuthorized === false && <Missing account={chosen} />}
    </Stack>
  )
}

type ConsentProps = Props & { kinds: IntegrationKind[]; accounts: Integration[] }
/** One button for each provider: nothing has to be registered there. */
const ByConsent = ({ kinds, address, accounts, field, error, onChange }: ConsentProps) => {
  const [lacksAddress, setLacksAddress] = useState(false)
  const connect = useConnectAccount(onChange)
  // Beside the accounts that are there already, the field has its name and its error.
  const isAlone = accounts.length === 0
  const handleConnect = (kind: IntegrationKind) => {
    const { data } = email.safeParse(address)
    setLacksAddress(!data)
    if (!data) return
    const known = accounts.find(
      (one) => one.kind === kind && one.config.from === data && one.config.ownClient === false,
    )
    const account = { kind, address: data, name: `${integrations[kind].label} · ${data}`.slice(0, 60), known }
    // Opened by the click itself: later the browser would refuse it.
    connect.mutate({ account, opened: window.open('', '_blank', 'popup,width=520,height=680') })
  }
  const problem = lacksAddress ? 'Escreva antes o e-mail da caixa.' : connect.error ? messageOf(connect.error) : null
  return (
    <Input.Wrapper
      label={isAlone && field.label}
      description={isAlone && field.help}
      required={isAlone && field.required}
      error={problem ?? (isAlone && error)}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      labelElement="div"
    >
      <Group gap="xs" mt={isAlone ? 6 : 0} mb={4}>
        {kinds.map((kind) => {
          const { oauth }: Provider = integrations[kind]
          return (
            <Button
              key={kind}
              variant="default"
              leftSection={<IconExternalLink size={16} aria-hidden />}
              loading={connect.isPending && connect.variables.account.kind === kind}
              onClick={() => handleConnect(kind)}
            >
              Entrar com {oauth?.owner}
            </Button>
          )
        })}
      </Group>
      {connect.data?.url && (
        <Anchor href={connect.data.url} target="_blank" size="sm">
          O navegador não abriu a janela. Abrir a autorização
        </Anchor>
      )}
    </Input.Wrapper>
  )
}

const Missing = ({ account }: { account: Integration }) => {
  const consent = useConsent()
  const provider: Provider = integrations[account.kind]
  if (account.config.ownClient === false)
    return (
      <Text size="sm" c="dimmed" role="status">
        Esperando a autorização do dono da conta.
      </Text>
    )
  return (
    <Alert color="yellow" title="Falta a autorização do dono da conta">
      {consent.error && <p role="alert">{messageOf(consent.error)}</p>}
      <Button
        size="xs"
        leftSection={<IconExternalLink size={16} aria-hidden />}
        loading={consent.isPending}
        onClick={() => consent.mutate(account.id)}
      >
        {provider.oauth?.label}
      </Button>
    </Alert>
  )
}
