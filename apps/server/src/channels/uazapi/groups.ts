import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { ChannelError, type GroupOutcome, type GroupTarget } from '../adapter.ts'
import { unclear } from '../http-errors.ts'
import {
  asGroupPicture,
  asLeader,
  coded,
  inviteUrlOf,
  isMemberAct,
  type MemberTarget,
  phoneOfPerson,
  settled,
} from '../whatsapp/group-acts.ts'
import { addressOf, identityOf } from '../whatsapp/jids.ts'
import { groupInfo, participantsOf } from '../whatsapp/whatsmeow-groups.ts'
import { type Context, call } from './api.ts'

export const infoOf = (groupjid: string, context: Context, more: object = {}) =>
  call(context, 'group/info', { body: { groupjid, ...more }, isHarmless: true })

/** Routes of uazapiGO v2 (reference sheet uazapi.md): one for each act, the group in the body. */
export const groupAct = (target: GroupTarget, context: Context): Promise<GroupOutcome> =>
  asLeader(target.act === 'create' ? create(target, context) : change(target, context))

const wrapped = z.object({ group: loose(z.unknown()) })
/** Some answers are the group, others carry it. */
const groupIn = (answer: unknown) => groupInfo.safeParse(wrapped.safeParse(answer).data?.group ?? answer).data

const create = async ({ title, people }: Extract<GroupTarget, { act: 'create' }>, context: Context) => {
  const answer = await call(context, 'group/create', { body: { name: title, participants: people.map(phoneOfPerson) } })
  const group = identityOf(groupIn(answer)?.JID)
  if (group?.kind !== 'group') throw unclear('A uazapi não disse qual grupo criou.')
  return { group }
}

const change = async (target: Exclude<GroupTarget, { act: 'create' }>, context: Context): Promise<GroupOutcome> => {
  const groupjid = addressOf(target.to)
  const post = (route: string, body: object) =>
    call(context, `group/${route}`, { body: { groupjid, ...body }, isHarmless: true })
  if (isMemberAct(target)) return { people: await changePeople(target, { groupjid, context, post }) }
  switch (target.act) {
    case 'title':
      await post('updateName', { name: target.title })
      return {}
    case 'description':
      await post('updateDescription', { description: target.description })
      return {}
    case 'picture': {
      const jpeg = await asGroupPicture(target.picture)
      await post('updateImage', { image: `data:image/jpeg;base64,${jpeg.toString('base64')}` })
      return {}
    }
    case 'adminsOnly':
      await post('updateAnnounce', { announce: target.isOn })
      return {}
    case 'inviteLink': {
      const answer = target.isRenewed
        ? await post('resetInviteCode', {})
        : await infoOf(groupjid, context, { getInviteLink: true })
      const link = invited.safeParse(answer).data
      const found = link?.InviteLink || link?.invite_link || link?.group?.invite_link
      if (!found) throw new ChannelError('retry', 'A uazapi não disse o link do grupo.')
      return { inviteUrl: inviteUrlOf(found) }
    }
  }
}
const invited = z.object({
  InviteLink: loose(z.string()),
  invite_link: loose(z.string()),
  group: loose(z.object({ invite_link: loose(z.string()) })),
})

type Ways = { groupjid: string; context: Context; post: (route: string, body: object) => Promise<unknown> }
/** It answers with a code for each; a server that leaves them out is asked who is there afterwards. */
const changePeople = async ({ act, people }: MemberTarget, { groupjid, context, post }: Ways) => {
  const read = async () => participantsOf(groupIn(await infoOf(groupjid, context))?.Participants ?? [])
  const before = await read()
  const answer = await post('updateParticipants', { action: act, participants: people.map(addressOf) })
  const told = updated.safeParse(answer).data?.groupUpdated
  if (!told?.length) return settled(act, people, before, await read())
  return coded(
    act,
    people,
    told.map(({ JID, PhoneNumber, LID, Error: code }) => ({ jids: [JID, PhoneNumber, LID], code: code ?? 200 })),
  )
}
const updated = z.object({
  groupUpdated: z.array(
    z.object({
      JID: loose(z.string()),
      PhoneNumber: loose(z.string()),
      LID: loose(z.string()),
      Error: loose(z.number()),
    }),
  ),
})
