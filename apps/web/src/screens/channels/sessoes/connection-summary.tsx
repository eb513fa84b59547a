import type { Connection } from '@balcao/contract/channels/connections.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import { Badge, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { ConnectionState } from '../../../features/channels/connections/connection-state.tsx'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { ChannelGlyph } from '../../../ui/channel-glyph.tsx'
import classes from './connection-card.module.css'
import { ConnectionFacts } from './connection-facts.tsx'

/** What a card says of a connection, whoever reads it. */
export type Shown = Pick<
  Connection,
  | 'kind'
  | 'name'
  | 'status'
  | 'statusText'
  | 'account'
  | 'isDefault'
  | 'queue'
  | 'host'
  | 'lastInboundAt'
  | 'health'
  | 'options'
>
type Props = {
  connection: Shown
  work: Parameters<typeof ConnectionFacts>[0]['work']
  isActive?: boolean
  /** Above its name: whose it is. */
  owner?: string
  /** Its state says nothing worth reading. */
  isQuiet?: boolean
  menu?: ReactNode
  onOpen: () => void
  /** Below the facts: what else is to be said, and done. */
  children?: ReactNode
}

/** A connection at a glance: what it is, whether it works, how it does. */
export const ConnectionSummary = ({ connection, work, isActive, owner, isQuiet, menu, onOpen, children }: Props) => {
  const { kind, name, status, statusText, isDefault, account } = connection
  const label = owner ? `${name}, de ${owner}` : name
  return (
    <article className={classes.card} data-status={status} data-active={isActive} aria-label={label}>
      <div className={classes.top}>
        {account?.picture ? (
          <Avatar name={account.name ?? name} src={account.picture} size={36} channel={kind} />
        ) : (
          <ChannelGlyph channel={kind} size={36} />
        )}
        <UnstyledButton className={classes.open} onClick={onOpen}>
          <span className={classes.name} title={name}>
            {name}
          </span>
          {owner && (
            <span className={classes.owner} title={owner}>
              {owner}
            </span>
          )}
          <span className={classes.kind}>{channels[kind].label}</span>
          {account && <Answers account={account} />}
        </UnstyledButton>
        {isDefault && (
          <Badge variant="light" color="gray" tt="none" className={classes.badge}>
            Padrão
          </Badge>
        )}
        {menu && <div className={classes.more}>{menu}</div>}
      </div>

      <div className={classes.state} aria-live="polite">
        <div className={classes.standing}>
          <ConnectionState status={status} />
          {work?.since && (
            <Text size="sm" c="dimmed">
              <RelativeTime moment={work.since} />
            </Text>
          )}
        </div>
        {statusText && !isQuiet && (status !== 'CONNECTED' || statusText !== 'Conectado.') && (
          <Text size="sm" className={classes.sentence}>
            {statusText}
          </Text>
        )}
      </div>

      <ConnectionFacts connection={connection} work={work} />
      {children}
    </article>
  )
}

/** Who answers there: the name people see, and the number. */
const Answers = ({ account: { name, number } }: { account: NonNullable<Connection['account']> }) => (
  <span className={classes.kind}>
    {name}
    {name && number && ' · '}
    {number && <PhoneText number={number} />}
  </span>
)
