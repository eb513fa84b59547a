import type { Abilities, Capability } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, channels, type IdentityKind, scopedKinds } from '@balcao/contract/channels/index.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { isRequest, needsRequests, requestProblems } from '@balcao/contract/conversations/interactive.ts'
import type { Interactive, MailContent } from '@balcao/contract/conversations/messages.ts'
import type { Tx } from '../../../db/database.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { identitiesOf } from './messages.queries.ts'

/** By which identities a contact is written to on this channel. */
export const identitiesFor = (kind: ChannelKind): readonly IdentityKind[] => channels[kind].reachedBy.identities

/** Everything a contact is written to by, the one used last first. */
export const addressesOf = (tx: Tx, contactId: string) => tx.rows<Identity>(identitiesOf, [tx.tenantId, contactId])

/** For SQL: kinds whose value begins with its account. */
export const scopedKindsText = scopedKinds.map((kind) => `'${kind}'`).join()
/** An identity `i` as `knownAs` says it. */
const knownAs = `case when i.kind in (${scopedKindsText})
  then i.kind || '@' || split_part(i.value, ':', 1) else i.kind end`
/** A contact `c` as `unreachableBecause` asks for it; an e-mail somebody wrote down counts, unless it is another's. */
export const knownByColumns = `c.number,
  array(select ${knownAs} from contact_identities i where i.tenant_id = c.tenant_id and i.contact_id = c.id
    union select 'email' where c.email is not null and not exists (select from contact_identities x
      where x.tenant_id = c.tenant_id and x.kind = 'email' and x.value = lower(c.email) and x.contact_id <> c.id)) as identities,
  array(select ${knownAs} from contact_identities i where i.tenant_id = c.tenant_id and i.contact_id = c.id
    group by 1 having bool_and(i.unreachable_reason is not null)) as deaf`

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

/** Throws unless the connection takes a poll with this question and these options. */
export const requirePollFit = (abilities: Abilities, { options, selectable }: Interactive, question: string) => {
  const { pollLimits: limits } = abilities
  requireSupport({ abilities }, 'poll')
  if (!limits) return
  const refuse = (path: string, message: string) => {
    throw fieldErrors({ path, message })
  }
  if (question.length > limits.body) refuse('body', `A pergunta leva no máximo ${limits.body} caracteres neste canal.`)
  if (options.length > limits.most) refuse('interactive', `Este canal aceita no máximo ${limits.most} opções.`)
  if (options.some(({ title }) => title.length > limits.title))
    refuse('interactive', `Cada opção leva no máximo ${limits.title} caracteres neste canal.`)
  if (!limits.several && selectable !== 1) refuse('interactive', 'Neste canal, cada pessoa escolhe uma opção só.')
}

/** Throws unless a request, if it is one, is whole and the connection can carry it, or its words. */
export const requireRequestFit = (abilities: Abilities, asked: Interactive, body: string) => {
  if (!isRequest(asked)) return
  if (needsRequests(asked)) requireSupport({ abilities }, 'requests')
  const problems = requestProblems(asked, body)
  if (problems.length) throw fieldErrors(...problems)
}

/** Throws unless the connection takes a subject and copies of this size. */
export const requireMailFit = (
  abilities: Abilities,
  { subject, cc, bcc, html }: Pick<MailContent, 'subject' | 'cc' | 'bcc' | 'html'>,
) => {
  requireSupport({ abilities }, 'mail')
  const { mailLimits } = abilities
  if (!mailLimits) return
  const most = (path: string, count: number, limit: number, what: string) => {
    if (count > limit)
      throw fieldErrors({ path: `mail.${path}`, message: `Use no máximo ${limit.toLocaleString('pt-BR')} ${what}.` })
  }
  most('subject', subject.length, mailLimits.subject, 'caracteres no assunto')
  most('cc', cc.length + bcc.length, mailLimits.copies, 'endereços em cópia')
  most('html', html?.length ?? 0, mailLimits.html, 'caracteres no texto formatado')
}

/** Nothing sent it but somebody of the team. */
const isByPerson = (message: string) => `(${message}.user_id is not null and ${message}.send_type = 'chat')`
const heardWithin = (message: string, hours: string) => `exists (
    select from tickets o where o.tenant_id = ${message}.tenant_id and o.contact_id = ${message}.contact_id
      and o.connection_id = ${message}.connection_id and o.last_inbound_at > now() - make_interval(hours => (${hours})::int))`

/**
 * What may leave of what was written, as a condition over `messages m` and its `connections n`: all of it, or what is
 * within the hours after the contact last wrote on this connection.
 */
export const sendableNow = `((n.abilities ->> 'windowHours') is null or m.type = 'template' or ${heardWithin(
  'm',
  `coalesce(case when ${isByPerson('m')} then n.abilities ->> 'personWindowHours' end, n.abilities ->> 'windowHours')`,
)})`
/** A person's words, taken for longer than others, whose hours are over: as a condition over message 'c' and 'n'. */
export const isLate = `(${isByPerson('c')} and (n.abilities ->> 'personWindowHours') is not null
  and not ${heardWithin('c', "n.abilities ->> 'windowHours'")})`
