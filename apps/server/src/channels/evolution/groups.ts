import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { ChannelError, type GroupOutcome, type GroupTarget, type ListedGroup, type Participant } from '../adapter.ts'
import { unclear } from '../http-errors.ts'
import { memberId } from '../members.ts'
import {
  asGroupPicture,
  asLeader,
  coded,
  inviteUrlOf,
  isMemberAct,
  type MemberTarget,
  phoneOfPerson,
} from '../whatsapp/group-acts.ts'
import { addressOf, identitiesOf, identityOf } from '../whatsapp/jids.ts'
import { type Context, call } from './api.ts'

const member = z.object({
  id: z.string(),
  phoneNumber: loose(z.string()),
  name: loose(z.string()),
  admin: loose(z.string()),
})
export const members = z.object({ participants: z.array(member) })
export const asParticipants = (told: z.output<typeof members>['participants']): Participant[] =>
  told.flatMap(({ id, phoneNumber, name, admin }) => {
    const identities = identitiesOf(id, phoneNumber)
    const [first] = identities
    const roles = { isAdmin: Boolean(admin), isOwner: admin === 'superadmin' }
    return first ? [{ id: memberId(first), name: name || null, ...roles, identities }] : []
  })

const listedGroup = z.object({
  id: z.string(),
  subject: loose(z.string()),
  desc: loose(z.string()),
  announce: loose(z.boolean()),
  participants: loose(z.array(member)),
})
/** Every group with who is in it: `fetchAllGroups`. */
export const listGroups = async (context: Context): Promise<ListedGroup[]> => {
  const answer = await call(context, 'group/fetchAllGroups', {
    query: { getParticipants: 'true' },
    isHarmless: true,
    timeoutMs: 120_000,
  })
  return z
    .array(z.unknown())
    .catch([])
    .parse(answer)
    .flatMap((one) => listedGroup.safeParse(one).data ?? [])
    .flatMap(({ id, subject, desc, announce, participants }) => {
      const identity = identityOf(id)
      if (identity?.kind !== 'group') return []
      return {
        identities: [identity],
        name: subject || null,
        description: desc,
        isAdminsOnly: announce,
        members: participants && asParticipants(participants),
      }
    })
}

/** Routes of Evolution API v2: `group.router.ts`, one for each act; the group stands in the query. */
export const groupAct = (target: GroupTarget, context: Context): Promise<GroupOutcome> =>
  asLeader(target.act === 'create' ? create(target, context) : change(target, context))

const create = async ({ title, people }: Extract<GroupTarget, { act: 'create' }>, context: Context) => {
  const participants = people.map(phoneOfPerson)
  const answer = await call(context, 'group/create', { body: { subject: title, participants } })
  const group = identityOf(made.safeParse(answer).data?.id)
  if (group?.kind !== 'group') throw unclear('O Evolution não disse qual grupo criou.')
  return { group }
}
const made = z.object({ id: z.string() })

const change = async (target: Exclude<GroupTarget, { act: 'create' }>, context: Context): Promise<GroupOutcome> => {
  const query = { groupJid: addressOf(target.to) }
  const post = (route: string, body: object) =>
    call(context, `group/${route}`, { method: 'POST', query, body: { ...query, ...body }, isHarmless: true })
  if (isMemberAct(target)) return { people: await changePeople(target, post) }
  switch (target.act) {
    case 'title':
      await post('updateGroupSubject', { subject: target.title })
      return {}
    case 'description':
      await post('updateGroupDescription', { description: target.description })
      return {}
    case 'picture':
      await post('updateGroupPicture', { image: (await asGroupPicture(target.picture)).toString('base64') })
      return {}
    case 'adminsOnly':
      await post('updateSetting', { action: target.isOn ? 'announcement' : 'not_announcement' })
      return {}
    case 'inviteLink': {
      const answer = target.isRenewed
        ? await post('revokeInviteCode', {})
        : await call(context, 'group/inviteCode', { query, isHarmless: true })
      const { inviteUrl, inviteCode } = invited.safeParse(answer).data ?? {}
      if (!inviteUrl && !inviteCode) throw new ChannelError('retry', 'O Evolution não disse o link do grupo.')
      return { inviteUrl: inviteUrl || inviteUrlOf(inviteCode ?? '') }
    }
  }
}
const invited = z.object({ inviteUrl: loose(z.string()), inviteCode: loose(z.string()) })

const changePeople = async ({ act, people }: MemberTarget, post: (route: string, body: object) => Promise<unknown>) => {
  const answer = await post('updateParticipant', { action: act, participants: people.map(addressOf) })
  const told = updated.safeParse(answer).data?.updateParticipants ?? []
  return coded(
    act,
    people,
    told.map(({ jid, status }) => ({ jids: [jid], code: status })),
  )
}
const updated = z.object({
  updateParticipants: z.array(z.object({ jid: loose(z.string()), status: z.union([z.string(), z.number()]) })),
})
