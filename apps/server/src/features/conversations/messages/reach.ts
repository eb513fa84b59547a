import type { Abilities, Capability } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, channels, type IdentityKind } from '@balcao/contract/channels/index.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'

/** By which identities a contact is written to on this channel. */
export const identitiesFor = (kind: ChannelKind): readonly IdentityKind[] => channels[kind].reachedBy.identities

/** A contact `c` as `unreachableBecause` asks for it. */
export const knownByColumns = `c.number,
  array(select distinct i.kind from contact_identities i where i.tenant_id = c.tenant_id and i.contact_id = c.id) as identities,
  array(select i.kind from contact_identities i where i.tenant_id = c.tenant_id and i.contact_id = c.id
    group by i.kind having bool_and(i.unreachable_reason is not null)) as deaf`

/** Throws ERR_CHANNEL_UNSUPPORTED unless the connection can. */
export const requireSupport = ({ abilities }: { abilities: Abilities }, capability: Capability) => {
  if (!abilities.supports.includes(capability)) throw new AppError('ERR_CHANNEL_UNSUPPORTED')
}

/** Throws unless the connection takes a text of this length, with its signature, in one message. */
export const requireFit = ({ textLimits: { text } }: Pick<Abilities, 'textLimits'>, body: string) => {
  if (body.length <= text) return
  const message = `O texto tem ${body.length.toLocaleString('pt-BR')} caracteres, e este canal leva no máximo ${text.toLocaleString('pt-BR')}. Encurte-o ou divida em duas mensagens.`
  throw fieldErrors({ path: 'body', message })
}

/**
 * What may leave of what was written, as a condition over `messages m` and its `connections n`: all of it, or what is
 * within the hours after the contact last wrote on this connection.
 */
export const sendableNow = `((n.abilities ->> 'windowHours') is null or m.type = 'template' or exists (
    select from tickets o where o.tenant_id = m.tenant_id and o.contact_id = m.contact_id and o.connection_id = m.connection_id
      and o.last_inbound_at > now() - make_interval(hours => (n.abilities ->> 'windowHours')::int)))`
