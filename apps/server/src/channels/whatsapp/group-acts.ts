import type { MemberAct } from '@balcao/contract/channels/group-acts.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { ChannelError, type GroupTarget, type Participant, type PersonOutcome } from '../adapter.ts'
import { formsOf, identitiesOf } from './jids.ts'

/** WhatsApp's own code for one person of an act, as libraries pass it on: each refusal with what to do. */
export const outcomeOf = (code: string | number, act: MemberAct): PersonOutcome => {
  switch (String(code)) {
    case '0':
    case '200':
      return { outcome: 'done' }
    case '409':
      return { outcome: 'already' }
    case '403':
    case '408':
      return act === 'add' ? closed : { outcome: 'refused', reason: 'O WhatsApp não permite isto com esta pessoa.' }
    case '401':
      return { outcome: 'refused', reason: 'Esta pessoa bloqueou este número.' }
    case '404':
      return {
        outcome: 'refused',
        reason: act === 'add' ? 'Este número não tem WhatsApp.' : 'Esta pessoa não está no grupo.',
      }
    case '500':
      return { outcome: 'refused', reason: 'O grupo está cheio.' }
    default:
      return { outcome: 'refused', reason: `O WhatsApp recusou (${String(code).slice(0, 10)}).` }
  }
}
const closed: PersonOutcome = {
  outcome: 'closed',
  reason: 'Esta pessoa só entra em grupos por convite: envie o link a ela.',
}

/** Who of the group one of these people is. */
export const memberAmong = (members: readonly Participant[], person: readonly Identity[]): Participant | undefined =>
  members.find(({ identities }) => identities.some((one) => person.some((other) => isSame(one, other))))
const isSame = (one: Identity, other: Identity) =>
  one.kind === other.kind &&
  (one.kind === 'phone' ? formsOf(one.value)[0] === formsOf(other.value)[0] : one.value === other.value)

/** What became of each person, by who was in the group before and who is in it afterwards: for servers that do not say. */
export const settled = (
  act: MemberAct,
  people: readonly Identity[][],
  before: readonly Participant[],
  after: readonly Participant[],
): PersonOutcome[] =>
  people.map((person) => {
    const [was, is] = [memberAmong(before, person), memberAmong(after, person)]
    if (act === 'add') return is ? (was ? { outcome: 'already' } : { outcome: 'done' }) : closed
    if (!was) return outcomeOf(404, act)
    const isDone = act === 'remove' ? !is : is?.isAdmin === (act === 'promote')
    const wasDone = act !== 'remove' && was.isAdmin === (act === 'promote')
    if (!isDone) return { outcome: 'refused', reason: 'O WhatsApp não fez isto com esta pessoa.' }
    return { outcome: wasDone ? 'already' : 'done' }
  })

/** By the jids somebody is answered for with a code; who is not named stays as it was. */
export const coded = (
  act: MemberAct,
  people: readonly Identity[][],
  answers: readonly { jids: (string | undefined)[]; code: string | number }[],
): PersonOutcome[] =>
  people.map((person, at) => {
    const told = answers.map((one) => ({ ...one, identities: identitiesOf(...one.jids) }))
    const own = told.find(({ identities }) => identities.some((one) => person.some((other) => isSame(one, other))))
    // They answer in order, sometimes by an id of a person we know by another.
    const answer = own ?? (told.length === people.length ? told[at] : undefined)
    return answer
      ? outcomeOf(answer.code, act)
      : { outcome: 'refused', reason: 'O WhatsApp não respondeu por esta pessoa.' }
  })

/** The digits of whoever is to be added or changed. Throws ChannelError where there are none. */
export const phoneOfPerson = (person: readonly Identity[]): string => {
  const phone = person.find(({ kind }) => kind === 'phone')
  if (!phone) throw new ChannelError('final', 'Falta o telefone de uma das pessoas.')
  return phone.value
}

/** Whoever leads the group alone may do this: the same refusal, in these words. */
export const asLeader = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    const isRefused =
      error instanceof ChannelError && error.outcome === 'final' && !error.isUnreachable && !error.isConnectionBroken
    throw isRefused && /não permite/.test(error.message) ? notLeader() : error
  })
export const notLeader = () =>
  new ChannelError('final', 'Só administradores do grupo podem fazer isto, e este número não é um deles.')

export const inviteUrlOf = (code: string): string =>
  /^https?:/.test(code) ? code : `https://chat.whatsapp.com/${code.split('/').at(-1)}`

type Of<Act extends GroupTarget['act']> = Extract<GroupTarget, { act: Act }>
export type MemberTarget = Extract<GroupTarget, { people: Identity[][]; to: Identity[] }>
export const isMemberAct = (target: GroupTarget): target is MemberTarget => 'people' in target && 'to' in target

/** Pictures of WhatsApp groups are square JPEGs of at most 640. */
export const asGroupPicture = async (picture: Of<'picture'>['picture']): Promise<Buffer> => {
  const { default: sharp } = await import('sharp')
  try {
    return await sharp(Buffer.from(picture.base64, 'base64'), { limitInputPixels: 50_000_000 })
      .rotate()
      .resize(640, 640, { fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 80 })
      .toBuffer()
  } catch {
    throw new ChannelError('final', 'A foto não pôde ser lida. Use uma imagem JPG ou PNG.')
  }
}
