import { z } from 'zod'
import { changePeople, inviteOf, requireLeader } from '../whatsapp/group-acts.ts'
import type { Group } from '../whatsapp/people.ts'
import { changeOf, groupInfoOf } from '../whatsapp/whatsmeow-groups.ts'
import type { Sending } from './sending.ts'
import { type Instance, type State, UazapiError } from './state.ts'
import type { Talk } from './talk.ts'

type Route = (method: 'GET' | 'POST', url: string, answer: (instance: Instance, body: unknown) => unknown) => unknown

/** Groups of uazapiGO v2; participants are answered for one by one, with WhatsApp's own code. */
export const addGroupRoutes = (route: Route, state: State, { talk, sending }: { talk: Talk; sending: Sending }) => {
  const { core } = state
  const groupOf = (body: unknown) => {
    const { groupjid } = z.looseObject({ groupjid: z.string() }).parse(body)
    const found = talk.groupBy(groupjid)
    if (!found) throw new UazapiError(404, 'group not found')
    return found
  }
  const info = (group: Group) => groupInfoOf(group, state.phone)
  const requireOurs = (group: Group) =>
    requireLeader(group, () => new UazapiError(500, 'info query returned status 403: forbidden'))
  route('GET', '/group/list', (instance) => {
    sending.requireLink(instance)
    return { groups: state.groups.map(info) }
  })
  route('POST', '/group/info', (instance, body) => {
    sending.requireLink(instance)
    const group = groupOf(body)
    const { getInviteLink } = z.looseObject({ getInviteLink: z.boolean().default(false) }).parse(body)
    if (getInviteLink) requireOurs(group)
    return {
      ...info(group),
      ...(getInviteLink && { invite_link: `https://chat.whatsapp.com/${inviteOf(group, false)}` }),
    }
  })
  route('POST', '/group/create', (instance, body) => {
    const { name, participants } = z
      .object({ name: z.string().min(1), participants: z.array(z.string()).min(1) })
      .parse(body)
    sending.requireLink(instance)
    const people = participants.map(talk.reached).filter((one) => one.isOnWhatsApp && !one.refusesGroups)
    const made = talk.group(name, people, 'admin')
    core.changed()
    return { group: info(made), failed: [] }
  })
  const act = (path: string, change: (group: Group, body: unknown) => unknown) =>
    route('POST', `/group/${path}`, async (instance, body) => {
      sending.requireLink(instance)
      const group = groupOf(body)
      requireOurs(group)
      const more: unknown = await change(group, body)
      core.changed()
      return { response: 'Group updated successfully', group: info(group), ...Object(more) }
    })
  act('updateName', (group, body) => {
    group.subject = z.object({ name: z.string().min(1) }).parse(body).name
  })
  act('updateDescription', (group, body) => {
    group.description = z.object({ description: z.string() }).parse(body).description
  })
  act('updateImage', (group, body) => {
    group.picture = z.object({ image: z.string().min(1) }).parse(body).image
  })
  act('updateAnnounce', (group, body) => {
    group.isAdminsOnly = z.object({ announce: z.boolean() }).parse(body).announce
  })
  act('resetInviteCode', (group) => ({ InviteLink: `https://chat.whatsapp.com/${inviteOf(group, true)}` }))
  act('updateParticipants', (group, body) => {
    const { action, participants } = z
      .object({ action: z.enum(['add', 'remove', 'promote', 'demote']), participants: z.array(z.string()).min(1) })
      .parse(body)
    const people = participants.map(talk.reached)
    const codes = changePeople(group, action, people)
    const changed = people.filter((_, at) => codes[at] === 200)
    if (changed.length) void talk.tellGroup(group, changeOf(action, changed))
    return {
      groupUpdated: people.map(({ jid, lid }, at) => ({
        JID: `${lid}@lid`,
        PhoneNumber: jid,
        Error: codes[at] === 200 ? 0 : codes[at],
      })),
    }
  })
}
