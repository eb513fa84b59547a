import type { Abilities, Capability } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, channels, type IdentityKind } from '@balcao/contract/channels/index.ts'
import { AppError } from '../../../kit/errors.ts'

/** By which identities a contact is written to on this channel. */
export const identitiesFor = (kind: ChannelKind): readonly IdentityKind[] => channels[kind].reachedBy.identities

/** Throws ERR_CHANNEL_UNSUPPORTED unless the connection can. */
export const requireSupport = ({ abilities }: { abilities: Abilities }, capability: Capability) => {
  if (!abilities.supports.includes(capability)) throw new AppError('ERR_CHANNEL_UNSUPPORTED')
}

/**
 * What may leave of what was written, as a condition over `messages m` and its `connections n`: all of it, or what is
 * within the hours after the contact last wrote on this connection.
 */
export const sendableNow = `((n.abilities ->> 'windowHours') is null or m.type = 'template' or exists (
    select from tickets o where o.tenant_id = m.tenant_id and o.contact_id = m.contact_id and o.connection_id = m.connection_id
      and o.last_inbound_at > now() - make_interval(hours => (n.abilities ->> 'windowHours')::int)))`
