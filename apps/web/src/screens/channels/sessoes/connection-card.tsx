import type { Connection } from '@balcao/contract/channels/connections.ts'
import { hasWebchatSite } from '@balcao/contract/channels/webchat.ts'
import { Anchor, Button, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPlay, IconPlugConnected, IconQrcode, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { connectionWork, useTurnConnection } from '../../../features/channels/connections/api.ts'
import { LinkDialog } from '../../../features/channels/connections/link-dialog.tsx'
import { StuckMessages } from '../../../features/conversations/messages/stuck-messages.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { AccountAlerts } from './account-alerts.tsx'
import { ConnectionAbilities } from './connection-abilities.tsx'
import classes from './connection-card.module.css'
import { ConnectionImport } from './connection-import.tsx'
import { ConnectionMenu } from './connection-menu.tsx'
import { ConnectionSummary } from './connection-summary.tsx'
import { useWhoSees } from './use-who-sees.ts'

type Props = {
  connection: Connection
  isActive: boolean
  testing: boolean
  onOpen: () => void
  onTest: () => void
  onDelete: () => void
}

/** A connection at a glance: what it is, whether it works, when it last heard from a customer. */
export const ConnectionCard = ({ connection, isActive, testing, onOpen, onTest, onDelete }: Props) => {
  const whoSees = useWhoSees()(connection.queue?.id ?? null)
  const { id, kind, name, status, stoppedAt, unknownEvents, abilities } = connection
  const [isLinking, setLinking] = useState(false)
  const turn = useTurnConnection()
  const handleStart = () =>
    turn.mutate({ id, to: 'start' }, { onError: (error) => notify.error(`${name}: ${messageOf(error)}`) })
  const isByLink = abilities.supports.includes('link')
  const mayRead = useCan('journal.read')
  const journal = `/sessoes/${connection.id}/diario`
  const lacksSite = kind === 'webchat' && !hasWebchatSite(connection.config)
  const works = useQuery(connectionWork).data
  const work = useMemo(() => works?.find((one) => one.id === connection.id), [works, connection.id])
  return (
    <ConnectionSummary
      connection={connection}
      work={work}
      isActive={isActive}
      isQuiet={lacksSite}
      menu={<ConnectionMenu connection={connection} onTest={onTest} onDelete={onDelete} />}
      onOpen={onOpen}
    >
      <ConnectionAbilities abilities={abilities} />
      <AccountAlerts connection={connection} />
      <ConnectionImport connection={connection} />
      {lacksSite && (
        <Text size="sm" className={classes.sentence}>
          Falta o domínio do seu site: sem ele o chat não abre.{' '}
          <Anchor component="button" size="sm" onClick={onOpen}>
            Informar domínio
          </Anchor>
        </Text>
      )}
      {whoSees && (
        <Text size="sm" className={classes.sentence}>
          {whoSees}{' '}
          <Anchor component="button" size="sm" onClick={onOpen}>
            Escolher fila
          </Anchor>
        </Text>
      )}

      <div className={classes.actions}>
        {stoppedAt ? (
          <Button
            size="xs"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={turn.isPending}
            onClick={handleStart}
            aria-label={`Iniciar ${name}`}
          >
            Iniciar
          </Button>
        ) : (
          isByLink &&
          status === 'ERROR' && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={turn.isPending}
              onClick={handleStart}
              aria-label={`Reiniciar ${name}`}
            >
              Reiniciar
            </Button>
          )
        )}
        {isByLink && !stoppedAt && status !== 'CONNECTED' && (
          <Button
            variant={status === 'ERROR' ? 'default' : 'filled'}
            size="xs"
            leftSection={<IconQrcode size={16} aria-hidden />}
            onClick={() => setLinking(true)}
            aria-label={`Conectar ${name}`}
          >
            Conectar
          </Button>
        )}
        {!isByLink && !stoppedAt && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlugConnected size={16} aria-hidden />}
            loading={testing}
            onClick={onTest}
            aria-label={`Testar ${name}`}
          >
            Testar
          </Button>
        )}
        <Button variant="default" size="xs" onClick={onOpen} aria-label={`Editar ${name}`}>
          Editar
        </Button>
        {mayRead && unknownEvents > 0 && (
          <Button
            variant="light"
            color="amber"
            size="xs"
            leftSection={<IconAlertTriangle size={16} aria-hidden />}
            component={Link}
            to={`${journal}?situacao=unknown&situacao=failed`}
          >
            {unknownEvents === 1 ? '1 aviso não reconhecido' : `${unknownEvents} avisos não reconhecidos`}
          </Button>
        )}
        <StuckMessages connection={connection} />
      </div>
      {isLinking && <LinkDialog connection={connection} onClose={() => setLinking(false)} />}
    </ConnectionSummary>
  )
}
