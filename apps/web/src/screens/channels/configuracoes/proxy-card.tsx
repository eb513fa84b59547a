import type { Integration } from '@balcao/contract/core/integrations/index.ts'
import { Button, MultiSelect, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { connectionList, type ProxyUse, useAssignProxy } from '../../../features/channels/connections/api.ts'
import { useTestIntegration } from '../../../features/core/integrations/api.ts'
import { IntegrationState } from '../../../features/core/integrations/integration-state.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { notify } from '../../../ui/notify.ts'
import classes from '../sessoes/connection-card.module.css'

type Props = { proxy: Integration; use: ProxyUse | undefined; onOpen: () => void }

/** A way out: where it leads, whether it does, and who goes through it. */
export const ProxyCard = ({ proxy, use, onOpen }: Props) => {
  const { id, name, config, stateText, checkedAt, state } = proxy
  const test = useTestIntegration()
  const assign = useAssignProxy()
  const connections = useQuery(connectionList).data ?? []
  const inUse = use?.connections ?? []
  const sent = inUse.reduce((sum, one) => sum + one.sentToday, 0)
  const stopped = inUse.filter(({ status }) => status === 'ERROR').length
  const chosen = connections.filter(({ proxyId }) => proxyId === id).map((one) => one.id)
  // A web chat goes out nowhere; the installation's server is reached without a proxy.
  const possible = connections.filter(({ kind, host }) => kind !== 'webchat' && host !== 'installation')

  const handleAssign = (next: string[]) => {
    const changes = [
      ...next.filter((one) => !chosen.includes(one)).map((one) => ({ id: one, proxyId: id })),
      ...chosen.filter((one) => !next.includes(one)).map((one) => ({ id: one, proxyId: null })),
    ]
    for (const change of changes) assign.mutate(change, { onError: (error) => notify.error(messageOf(error)) })
  }
  return (
    <article className={classes.card} data-status={state === 'broken' ? 'ERROR' : undefined} aria-label={name}>
      <div className={classes.top}>
        <UnstyledButton className={classes.open} onClick={onOpen}>
          <span className={classes.name} title={name}>
            {name}
          </span>
          <span className={classes.kind}>{addressOf(config)}</span>
        </UnstyledButton>
      </div>
      <div className={classes.state} aria-live="polite">
        <IntegrationState of={proxy} />
        {stateText && (
          <Text size="sm" className={classes.sentence}>
            {stateText}
          </Text>
        )}
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>Último teste</dt>
          <dd>{checkedAt ? <RelativeTime moment={checkedAt} /> : 'nenhum ainda'}</dd>
        </div>
        <div>
          <dt>Enviadas hoje</dt>
          <dd>{formatNumber(sent)}</dd>
        </div>
        {stopped > 0 && (
          <div>
            <dt>Canais com problema</dt>
            <dd>{formatNumber(stopped)}</dd>
          </div>
        )}
      </dl>
      <MultiSelect
        label="Canais por este proxy"
        placeholder={chosen.length ? undefined : 'Nenhum'}
        data={possible.map((one) => ({ value: one.id, label: one.name }))}
        value={chosen}
        onChange={handleAssign}
        disabled={assign.isPending}
        searchable
      />
      <div className={classes.actions}>
        <Button
          variant="default"
          size="xs"
          loading={test.isPending}
          onClick={() => test.mutate(id)}
          aria-label={`Testar ${name}`}
        >
          Testar
        </Button>
        <Button variant="default" size="xs" onClick={onOpen} aria-label={`Editar ${name}`}>
          Editar
        </Button>
      </div>
    </article>
  )
}

const addressOf = ({ protocol, host, port }: Integration['config']) =>
  protocol === 'none' ? 'Só certificado' : `${protocol}://${host}:${port}`
