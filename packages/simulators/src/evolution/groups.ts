import { z } from 'zod'
import type { WhatsAppCustomer } from '../whatsapp/customer.ts'
import { changePeople, inviteOf, requireLeader } from '../whatsapp/group-acts.ts'
import type { Group } from '../whatsapp/people.ts'
import type { Sending } from './sending.ts'
import { EvolutionError, type Instance, type State } from './state.ts'
import type { Talk } from './talk.ts'
import type { Webhooks } from './webhooks.ts'

type Ask = { body: unknown; query: Record<string, string> }
type Route = (method: 'GET' | 'POST', path: string, answer: (instance: Instance, ask: Ask) => unknown) => unknown
type Parts = { talk: Talk; sending: Sending; webhooks: Webhooks }

/** Groups, as `group.router.ts` has them; WhatsApp's refusals come as 400 with the library's words. */
export const addGroupRoutes = (route: Route, state: State, { talk, sending, webhooks }: Parts) => {
  const { core } = state
  const groupOf = (groupJid: string | undefined) => {
    const found = talk.groupBy(groupJid)
    if (!found) throw new EvolutionError(404, 'Error fetching group', 'Error: item-not-found')
    return found
  }
  const members = (group: Group) => [
    ...group.members.map(({ customer, isAdmin }) => ({
      id: `${customer.lid}@lid`,
      phoneNumber: customer.jid,
      admin: isAdmin ? 'admin' : null,
      name: customer.name,
      imgUrl: null,
    })),
    ...(group.ours
      ? [
          {
            id: `${state.phone}@s.whatsapp.net`,
            admin: group.ours === 'admin' ? 'admin' : null,
            name: state.profileName,
          },
        ]
      : []),
  ]
  const card = (group: Group) => ({
    id: group.jid,
    subject: group.subject,
    desc: group.description,
    announce: group.isAdminsOnly ?? false,
    pictureUrl: null,
    size: group.members.length,
  })
  route('GET', '/group/fetchAllGroups', (instance, { query }) => {
    sending.requireLink(instance)
    const all = query.getParticipants === 'true'
    return state.groups.map((group) => ({ ...card(group), ...(all && { participants: members(group) }) }))
  })
  route('GET', '/group/participants', (_instance, { query }) => ({ participants: members(groupOf(query.groupJid)) }))
  route('GET', '/group/findGroupInfos', (_instance, { query }) => card(groupOf(query.groupJid)))
  route('POST', '/group/create', (instance, { body }) => {
    const asked = z.object({ subject: z.string().min(1), participants: z.array(z.string()).min(1) }).parse(body)
    sending.requireLink(instance)
    const people = asked.participants.map(talk.reached).filter(({ isOnWhatsApp }) => isOnWhatsApp)
    const made = talk.group(
      asked.subject,
      people.filter(({ refusesGroups }) => !refusesGroups),
      'admin',
    )
    core.changed()
    return { ...card(made), participants: members(made) }
  })

  const act = (path: string, change: (group: Group, body: unknown) => unknown) =>
    route('POST', `/group/${path}`, async (instance, { body, query }) => {
      sending.requireLink(instance)
      const group = groupOf(query.groupJid)
      requireLeader(group, () => new EvolutionError(400, 'Error updating group', 'Error: forbidden'))
      const answer = await change(group, body)
      core.changed()
      return answer ?? { update: 'success' }
    })
  act('updateGroupSubject', (group, body) => {
    group.subject = z.object({ subject: z.string().min(1) }).parse(body).subject
  })
  act('updateGroupDescription', (group, body) => {
    group.description = z.object({ description: z.string() }).parse(body).description
  })
  act('updateGroupPicture', (group, body) => {
    group.picture = z.object({ image: z.base64() }).parse(body).image
  })
  act('updateSetting', (group, body) => {
    const { action } = z
      .object({ action: z.enum(['announcement', 'not_announcement', 'locked', 'unlocked']) })
      .parse(body)
    if (!action.includes('locked')) group.isAdminsOnly = action === 'announcement'
  })
  act('revokeInviteCode', (group) => ({ revoked: true, inviteCode: inviteOf(group, true) }))
  route('GET', '/group/inviteCode', (instance, { query }) => {
    sending.requireLink(instance)
    const group = groupOf(query.groupJid)
    requireLeader(group, () => new EvolutionError(404, 'No invite code', 'Error: not-authorized'))
    const inviteCode = inviteOf(group, false)
    return { inviteUrl: `https://chat.whatsapp.com/${inviteCode}`, inviteCode }
  })
  const actions = { add: 'add', remove: 'remove', promote: 'promote', demote: 'demote' } as const
  act('updateParticipant', async (group, body) => {
    const { action, participants } = z
      .object({ action: z.enum(['add', 'remove', 'promote', 'demote']), participants: z.array(z.string()).min(1) })
      .parse(body)
    const people = participants.map(talk.reached)
    const codes = changePeople(group, action, people)
    const changed = people.filter((_, at) => codes[at] === 200)
    const instance = talk.linked()
    if (instance && changed.length)
      void webhooks.emit(instance, 'group.participants.update', noticeOf(group, actions[action], changed))
    return { updateParticipants: participants.map((jid, at) => ({ jid, status: String(codes[at]) })) }
  })
}

const noticeOf = (group: Group, action: string, people: WhatsAppCustomer[]) => ({
  id: group.jid,
  author: '',
  action,
  participants: people.map(({ lid }) => `${lid}@lid`),
  participantsData: people.map(({ lid, jid, name }) => ({ jid: `${lid}@lid`, phoneNumber: jid, name })),
})
