import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { ChannelError, type GroupOutcome, type GroupTarget } from '../adapter.ts'
import { unclear } from '../http-errors.ts'
import {
  asGroupPicture,
  asLeader,
  inviteUrlOf,
  isMemberAct,
  type MemberTarget,
  phoneOfPerson,
  settled,
} from '../whatsapp/group-acts.ts'
import { addressOf, identityOf } from '../whatsapp/jids.ts'
import { groupInfo, participantsOf } from '../whatsapp/whatsmeow-groups.ts'
import { type Context, call } from './api.ts'

export const infoOf = (groupJID: string, context: Context) =>
  call(context, 'group/info', { query: { groupJID }, isHarmless: true })

/**
 * Routes of WuzAPI's `handlers.go`. Their names are spelled as its API reference has them; JSON of Go is read whatever the
 * case. What became of each person it does not say: the group is looked at before and after.
 */
export const groupAct = (target: GroupTarget, context: Context): Promise<GroupOutcome> =>
  asLeader(target.act === 'create' ? create(target, context) : change(target, context))

const create = async ({ title, people }: Extract<GroupTarget, { act: 'create' }>, context: Context) => {
  const answer = await call(context, 'group/create', { body: { name: title, participants: people.map(phoneOfPerson) } })
  const group = identityOf(groupInfo.safeParse(answer).data?.JID)
  if (group?.kind !== 'group') throw unclear('O WuzAPI não disse qual grupo criou.')
  return { group }
}

const change = async (target: Exclude<GroupTarget, { act: 'create' }>, context: Context): Promise<GroupOutcome> => {
  const GroupJID = addressOf(target.to)
  const post = (route: string, body: object) =>
    call(context, `group/${route}`, { body: { GroupJID, ...body }, isHarmless: true })
  if (isMemberAct(target)) return { people: await changePeople(target, { GroupJID, context, post }) }
  switch (target.act) {
    case 'title':
      await post('name', { Name: target.title })
      return {}
    case 'description':
      await post('topic', { Topic: target.description })
      return {}
    case 'picture': {
      const jpeg = await asGroupPicture(target.picture)
      await post('photo', { Image: `data:image/jpeg;base64,${jpeg.toString('base64')}` })
      return {}
    }
    case 'adminsOnly':
      await post('announce', { Announce: target.isOn })
      return {}
    case 'inviteLink': {
      const query = { groupJID: GroupJID, reset: String(target.isRenewed) }
      const answer = await call(context, 'group/invitelink', { query, isHarmless: true })
      const link = invited.safeParse(answer).data?.InviteLink
      if (!link) throw new ChannelError('retry', 'O WuzAPI não disse o link do grupo.')
      return { inviteUrl: inviteUrlOf(link) }
    }
  }
}
const invited = z.object({ InviteLink: loose(z.string()) })

type Ways = { GroupJID: string; context: Context; post: (route: string, body: object) => Promise<unknown> }
const changePeople = async ({ act, people }: MemberTarget, { GroupJID, context, post }: Ways) => {
  const read = async () => participantsOf(groupInfo.safeParse(await infoOf(GroupJID, context)).data?.Participants ?? [])
  const before = await read()
  await post('updateparticipants', {
    Phone: people.map((one) => addressOf(one).replace('@s.whatsapp.net', '')),
    Action: act,
  })
  return settled(act, people, before, await read())
}
