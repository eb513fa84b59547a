import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { ChannelError, type GroupOutcome, type GroupTarget, type Participant } from '../adapter.ts'
import { unclear } from '../http-errors.ts'
import { memberId } from '../members.ts'
import {
  asGroupPicture,
  asLeader,
  inviteUrlOf,
  isMemberAct,
  type MemberTarget,
  notLeader,
  phoneOfPerson,
  settled,
} from '../whatsapp/group-acts.ts'
import { identitiesOf, identityOf } from '../whatsapp/jids.ts'
import { ask, type Context } from './api.ts'
import { jidOf, phoneOf } from './phones.ts'

export const metadata = z.object({
  subject: loose(z.string()),
  description: loose(z.string()),
  adminOnlyMessage: loose(z.boolean()),
  participants: z.array(
    z.object({
      phone: loose(z.string()),
      lid: loose(z.string()),
      name: loose(z.string()),
      short: loose(z.string()),
      isAdmin: loose(z.boolean()),
      isSuperAdmin: loose(z.boolean()),
    }),
  ),
})
export const asParticipants = ({ participants }: z.output<typeof metadata>): Participant[] =>
  participants.flatMap(({ phone, lid, name, short, isAdmin, isSuperAdmin }) => {
    const identities = identitiesOf(jidOf(phone), jidOf(lid))
    const [first] = identities
    const roles = { isAdmin: Boolean(isAdmin || isSuperAdmin), isOwner: Boolean(isSuperAdmin) }
    return first ? [{ id: memberId(first), name: name || short || null, ...roles, identities }] : []
  })

/**
 * Methods of Z-API's chapter on groups. They answer `{ value: true }`, or `false` without a reason: what became of each
 * person is seen in the group itself. Invitations are sent by us, never by its `autoInvite`.
 */
export const groupAct = (target: GroupTarget, context: Context): Promise<GroupOutcome> =>
  asLeader(target.act === 'create' ? create(target, context) : change(target, context))

const create = async ({ title, people }: Extract<GroupTarget, { act: 'create' }>, context: Context) => {
  const body = { autoInvite: false, groupName: title, phones: people.map(phoneOfPerson) }
  const { phone, invitationLink } = made.safeParse(await ask(context, 'create-group', { body })).data ?? {}
  const group = identityOf(jidOf(phone, true))
  if (group?.kind !== 'group') throw unclear('A Z-API não disse qual grupo criou.')
  return { group, inviteUrl: invitationLink && inviteUrlOf(invitationLink) }
}
const made = z.object({ phone: loose(z.string()), invitationLink: loose(z.string()) })

const change = async (target: Exclude<GroupTarget, { act: 'create' }>, context: Context): Promise<GroupOutcome> => {
  const groupId = phoneOf(target.to)
  const post = async (path: string, body: object) => {
    const { value } = done.safeParse(await ask(context, path, { body: { groupId, ...body } })).data ?? {}
    if (value === false) throw notLeader()
  }
  if (isMemberAct(target)) return { people: await changePeople(target, { groupId, context, post }) }
  switch (target.act) {
    case 'title':
      await post('update-group-name', { groupName: target.title })
      return {}
    case 'description':
      await post('update-group-description', { groupDescription: target.description })
      return {}
    case 'picture': {
      const jpeg = await asGroupPicture(target.picture)
      await post('update-group-photo', { groupPhoto: `data:image/jpeg;base64,${jpeg.toString('base64')}` })
      return {}
    }
    case 'adminsOnly':
      await post('update-group-settings', { phone: groupId, adminOnlyMessage: target.isOn })
      return {}
    case 'inviteLink': {
      if (target.isRenewed) await ask(context, `redefine-invitation-link/${groupId}`, { method: 'POST', body: {} })
      const answer = await ask(context, `group-invitation-link/${groupId}`, { method: 'POST', body: {} })
      const link = made.safeParse(answer).data?.invitationLink
      if (!link) throw new ChannelError('retry', 'A Z-API não disse o link do grupo.')
      return { inviteUrl: inviteUrlOf(link) }
    }
  }
}
const done = z.object({ value: loose(z.boolean()) })

const paths = {
  add: 'add-participant',
  remove: 'remove-participant',
  promote: 'add-admin',
  demote: 'remove-admin',
} as const
type Ways = { groupId: string; context: Context; post: (path: string, body: object) => Promise<void> }
const changePeople = async ({ act, people }: MemberTarget, { groupId, context, post }: Ways) => {
  const read = async () => {
    const { data } = metadata.safeParse(await ask(context, `group-metadata/${groupId}`))
    return data ? asParticipants(data) : []
  }
  const before = await read()
  const phones = people.map((one) => phoneOf(one))
  await post(paths[act], { phones, ...(act === 'add' && { autoInvite: false }) })
  return settled(act, people, before, await read())
}
