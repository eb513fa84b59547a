import { cutText } from '@balcao/contract/core/cut-text.ts'
import { v5 } from 'uuid'
import type { InboundEvent, Speaker } from '../../../channels/adapter.ts'
import type { Tx } from '../../../db/database.ts'
import { bySystem } from '../../../kit/actor.ts'
import { emit } from '../../../kit/outbox.ts'
import { cleanText } from '../../../kit/text.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { changeMembers, findMeant, keysOf, wantGroupsSoon } from '../../contacts/groups/members.ts'
import { memberName } from '../../contacts/groups/names.ts'
import { renameGroup } from '../../contacts/groups/rename.ts'
import { findOurselves } from '../../conversations/groups/ourselves.ts'
import { refreshRoles, setLeft } from '../../conversations/groups/places.ts'
import { wantNewPicture } from '../../conversations/pictures/pictures.ts'
import { factsOf } from '../../conversations/timeline/ticket-facts.ts'
import { groupWatch } from './group-watch.ts'
import { findActive, writeLineOnce } from './lines-once.ts'

type GroupChange = Extract<InboundEvent, { kind: 'group' }>

/** Who came, went or was given a part in a group, and what it is called now: a line of its conversation. */
export const receiveGroupChange = async (tx: Tx, connection: OpenConnection, event: GroupChange) => {
  const { group, providerId, subject, change, members, at } = event
  const found = await findActive(tx, connection, group)
  if (!found) return
  const isOfMembers = change !== 'subject' && change !== 'picture'
  if (isOfMembers) {
    if (await changeMembers(tx, found.contactId, { change, members, at })) await wantGroupsSoon(tx, [found.contactId])
    await followOurselves(tx, connection, found.contactId, event)
  }
  await groupWatch().changed(tx, connection, { groupId: found.contactId, event })
  if (event.change === 'subject' && subject) await renameGroup(tx, found.contactId, subject, event.at)
  if (change === 'picture') await wantNewPicture(tx, connection, found.contactId)
  const names = members.length ? await namesOf(tx, found.contactId, members) : []
  const line = { id: v5(`grupo:${providerId}`, connection.id), body: sentenceOf(event, names), author: bySystem }
  const ticket = await writeLineOnce(tx, connection, group, line)
  if (ticket && isOfMembers)
    await emit(tx, 'group.updated', { ticketId: ticket.id }, { kind: 'ticket', facts: factsOf(ticket) })
}

/** Our own number came, went, or was given a part. */
const followOurselves = async (
  tx: Tx,
  { id }: OpenConnection,
  groupId: string,
  { change, members, at }: GroupChange,
) => {
  const { keys } = await findOurselves(tx, id)
  const isOfUs = members.some(({ identities }) => keysOf(identities).some((key) => keys.includes(key)))
  if (isOfUs && (change === 'left' || change === 'joined'))
    await setLeft(tx, id, groupId, change === 'left' ? at : null)
  await refreshRoles(tx, id, [groupId])
}

const namesOf = async (tx: Tx, groupId: string, members: Speaker[]) => {
  const found = await findMeant(
    tx,
    members.map(({ identities }) => ({ groupId, keys: keysOf(identities) })),
  )
  return members.map(({ name = null, identities }, n) => {
    const known = found[n]
    const shown = memberName({ keys: keysOf(identities), contactName: null, ...known, name: known?.name ?? name })
    return cutText(cleanText(shown), 120)
  })
}

const sentenceOf = ({ change, subject }: GroupChange, names: string[]): string => {
  const who = listed(names)
  const many = names.length > 1
  switch (change) {
    case 'joined':
      return `${who} ${many ? 'entraram' : 'entrou'} no grupo.`
    case 'left':
      return `${who} ${many ? 'saíram' : 'saiu'} do grupo.`
    case 'promoted':
      return `${who} agora ${many ? 'administram' : 'administra'} o grupo.`
    case 'demoted':
      return `${who} não ${many ? 'administram' : 'administra'} mais o grupo.`
    case 'subject':
      return subject ? `O grupo agora se chama ${subject}.` : 'O nome do grupo mudou.'
    case 'picture':
      return 'A foto do grupo mudou.'
  }
}
/** The first of them by name, the rest by their number. */
const listed = (names: string[]): string => {
  if (!names.length) return 'Alguém'
  const shown = names.length > mostNamed + 1 ? names.slice(0, mostNamed) : names
  const left = names.length - shown.length
  return new Intl.ListFormat('pt-BR').format([...shown, ...(left ? [`mais ${left}`] : [])])
}
const mostNamed = 5
