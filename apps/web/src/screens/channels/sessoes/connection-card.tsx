import type { Connection } from '@balcao/contract/channels/connections.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import { hasWebchatSite } from '@balcao/contract/channels/webchat.ts'
import { ActionIcon, Anchor, Badge, Button, Menu, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconDots, IconNotebook, IconPlugConnected, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import { ConnectionState } from '../../../features/channels/connections/connection-state.tsx'
import { StuckMessages } from '../../../features/conversations/messages/stuck-messages.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { ChannelGlyph } from '../../../ui/channel-glyph.tsx'
import classes from './connection-card.module.css'
import { SyncTemplatesItem } from './sync-templates-item.tsx'
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
  const { kind, name, status, statusText, isDefault, queue, lastInboundAt, unknownEvents } = connection
  const mayRead = useCan('journal.read')
  const journal = `/sessoes/${connection.id}/diario`
  const lacksSite = kind === 'webchat' && !hasWebchatSite(connection.config)
  return (
    <article className={classes.card} data-status={status} data-active={isActive} aria-label={name}>
      <div className={classes.top}>
        <ChannelGlyph channel={kind} size={36} />
        <UnstyledButton className={classes.open} onClick={onOpen}>
          <span className={classes.name} title={name}>
            {name}
          </span>
          <span className={classes.kind}>{channels[kind].label}</span>
        </UnstyledButton>
        {isDefault && (
          <Badge variant="light" color="gray" tt="none" className={classes.badge}>
            Padrão
          </Badge>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={`Mais ações de ${name}`} className={classes.more}>
              <IconDots size={18} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {connection.abilities.supports.includes('template') && <SyncTemplatesItem connection={connection} />}
            {mayRead && (
              <Menu.Item component={Link} to={journal} leftSection={<IconNotebook size={16} aria-hidden />}>
                Diário
              </Menu.Item>
            )}
            <Menu.Item c="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
              Excluir
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>

      <div className={classes.state} aria-live="polite">
        <ConnectionState status={status} />
        {statusText && !lacksSite && (status !== 'CONNECTED' || statusText !== 'Conectado.') && (
          <Text size="sm" className={classes.sentence}>
            {statusText}
          </Text>
        )}
      </div>

      <dl className={classes.facts}>
        <div>
          <dt>Última recebida</dt>
          <dd>{lastInboundAt ? <RelativeTime moment={lastInboundAt} /> : 'nenhuma ainda'}</dd>
        </div>
        <div>
          <dt>Fila inicial</dt>
          <dd className="truncate">{queue?.name ?? 'sem fila'}</dd>
        </div>
        {connection.health?.quality && (
          <div>
            <dt>Qualidade</dt>
            <dd>{connection.health.quality}</dd>
          </div>
        )}
      </dl>

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
    </article>
  )
}
