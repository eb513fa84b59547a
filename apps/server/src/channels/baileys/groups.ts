import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { GroupMetadata } from '@whiskeysockets/baileys'
import { ChannelError, type GroupOutcome, type GroupTarget, type ListedGroup, type Participant } from '../adapter.ts'
import { memberId } from '../members.ts'
import {
  asGroupPicture,
  asLeader,
  coded,
  inviteUrlOf,
  isMemberAct,
  type MemberTarget,
  memberAmong,
  outcomeOf,
  phoneOfPerson,
} from '../whatsapp/group-acts.ts'
import { addressOf, identitiesOf, identityOf } from '../whatsapp/jids.ts'
import type { BaileysPort } from './port.ts'

export const participantsOf = ({ participants }: Pick<GroupMetadata, 'participants'>): Participant[] =>
  participants.flatMap(({ id, phoneNumber, lid, name, notify, admin }) => {
    const identities = identitiesOf(id, phoneNumber, lid)
    const [first] = identities
    const roles = { isAdmin: Boolean(admin), isOwner: admin === 'superadmin' }
    return first ? [{ id: memberId(first), name: name ?? notify ?? null, ...roles, identities }] : []
  })

/** A community's own shell is no group that anybody writes in. */
export const asListed = (group: GroupMetadata): ListedGroup[] => {
  const identity = identityOf(group.id)
  if (identity?.kind !== 'group' || group.isCommunity) return []
  return [
    {
      identities: [identity],
      name: group.subject || null,
      description: group.desc,
      isAdminsOnly: Boolean(group.announce),
      members: group.participants.length ? participantsOf(group) : undefined,
    },
  ]
}

/** How a group calls one of its members: by a phone or by the id that hides one. As they are known, where it does not say. */
export const memberInGroup = async (port: BaileysPort, jid: string, who: Identity[]): Promise<string> => {
  const group = await port.calls.groupMetadata(jid)
  const member = memberAmong(participantsOf(group), who)
  const raw =
    member &&
    group.participants.find(({ id, phoneNumber, lid }) => {
      const known = identitiesOf(id, phoneNumber, lid)
      return known.some((one) =>
        member.identities.some((other) => one.kind === other.kind && one.value === other.value),
      )
    })
  return raw?.id ?? addressOf(who)
}

type Ways = {
  port: BaileysPort
  accountOf: (port: BaileysPort, phone: string) => Promise<string | undefined>
  asked: <T>(work: Promise<T>) => Promise<T>
  sent: <T>(work: Promise<T>) => Promise<T>
}
/** The library's own calls for groups; the group is looked at first where people are named. */
export const actOnGroup = (target: GroupTarget, ways: Ways): Promise<GroupOutcome> =>
  asLeader(target.act === 'create' ? create(target, ways) : change(target, ways))

const create = async (
  { title, people }: Extract<GroupTarget, { act: 'create' }>,
  { port, accountOf, asked, sent }: Ways,
) => {
  const found = await asked(Promise.all(people.map((one) => accountOf(port, phoneOfPerson(one)))))
  const jids = found.flatMap((jid) => jid ?? [])
  if (!jids.length)
    throw new ChannelError('final', 'Nenhum destes números tem WhatsApp: um grupo precisa de mais alguém.')
  const made = await sent(port.calls.groupCreate(title, jids))
  const group = identityOf(made.id)
  return { group: group?.kind === 'group' ? group : undefined }
}

const change = async (target: Exclude<GroupTarget, { act: 'create' }>, ways: Ways): Promise<GroupOutcome> => {
  const { port, asked } = ways
  const jid = addressOf(target.to)
  if (isMemberAct(target)) return { people: await changePeople(target, jid, ways) }
  switch (target.act) {
    case 'title':
      await asked(port.calls.groupUpdateSubject(jid, target.title))
      return {}
    case 'description':
      await asked(port.calls.groupUpdateDescription(jid, target.description || undefined))
      return {}
    case 'picture':
      await asked(port.calls.updateProfilePicture(jid, await asGroupPicture(target.picture)))
      return {}
    case 'adminsOnly':
      await asked(port.calls.groupSettingUpdate(jid, target.isOn ? 'announcement' : 'not_announcement'))
      return {}
    case 'inviteLink': {
      const code = await asked(target.isRenewed ? port.calls.groupRevokeInvite(jid) : port.calls.groupInviteCode(jid))
      if (!code) throw new ChannelError('retry', 'O WhatsApp não disse o link do grupo.')
      return { inviteUrl: inviteUrlOf(code) }
    }
  }
}

const changePeople = async ({ act, people }: MemberTarget, jid: string, { port, accountOf, asked }: Ways) => {
  const group = await asked(port.calls.groupMetadata(jid))
  const members = participantsOf(group)
  const addresses = await asked(
    Promise.all(
      people.map(async (person) => {
        const at = members.indexOf(memberAmong(members, person) as Participant) // -1 for whoever is not there
        const there = group.participants[at]?.id
        if (act !== 'add') return there
        if (there) return there
        const lid = person.find(({ kind }) => kind === 'lid')
        return accountOf(port, phoneOfPerson(person)).then((account) => account ?? (lid && addressOf([lid])))
      }),
    ),
  )
  const known = addresses.flatMap((address) => address ?? [])
  const answers = known.length ? await asked(port.calls.groupParticipantsUpdate(jid, known, act)) : []
  const outcomes = coded(
    act,
    people.filter((_, at) => addresses[at]),
    answers.map(({ jid: one, status }) => ({ jids: [one], code: status })),
  )
  let next = 0
  return addresses.map((address) => (address ? (outcomes[next++] ?? outcomeOf(404, act)) : outcomeOf(404, act)))
}
