import { type Integration, integrationResource, integrations } from '@balcao/contract/core/integrations/index.ts'
import type { Provider } from '@balcao/contract/core/providers/define.ts'
import { Alert, Anchor, Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { useConsent } from '../../../features/core/integrations/api.ts'
import { DrawnField } from '../../../features/service/actions/drawn-field.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { allRows } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'

type Props = ComponentProps<typeof DrawnField>

/** The account a mailbox is entered with, and its owner's consent where that is still missing. */
export const MailAccountField = (props: Props) => {
  const mayIntegrate = useCan('integrations.write')
  const rows = useQuery({ ...allRows<Integration>(integrationResource), enabled: mayIntegrate })
  const consent = useConsent()
  const accounts = (rows.data ?? []).filter(({ kind }) => 'oauth' in integrations[kind])
  const chosen = accounts.find(({ id }) => id === props.value)
  if (!mayIntegrate) return <Alert color="gray">Quem cuida das integrações escolhe aqui a conta autorizada.</Alert>
  if (rows.data && !accounts.length)
    return (
      <Alert color="gray" title="Nenhuma conta ainda">
        <Anchor component={Link} to="/configuracoes/integracoes">
          Adicione a conta do Gmail ou do Outlook em Integrações
        </Anchor>{' '}
        e autorize o acesso.
      </Alert>
    )
  const provider: Provider | undefined = chosen && integrations[chosen.kind]
  return (
    <>
      <DrawnField {...props} />
      {chosen && chosen.isAuthorized === false && (
        <Alert color="yellow" title="Falta a autorização do dono da conta">
          {consent.error && <p role="alert">{messageOf(consent.error)}</p>}
          <Button
            size="xs"
            leftSection={<IconExternalLink size={16} aria-hidden />}
            loading={consent.isPending}
            onClick={() => consent.mutate(chosen.id)}
          >
            {provider?.oauth?.label}
          </Button>
        </Alert>
      )}
    </>
  )
}
