import { z } from 'zod'
import { changePeople, inviteOf, requireLeader } from '../whatsapp/group-acts.ts'
import type { Group } from '../whatsapp/people.ts'
import { changeOf, groupInfoOf } from '../whatsapp/whatsmeow-groups.ts'
import type { Sending } from './sending.ts'
import { type State, type User, WuzapiError } from './state.ts'
import type { Talk } from './talk.ts'

type Answer = (user: User, body: unknown, query: Record<string, string>) => unknown
type Route = (method: 'GET' | 'POST', url: string, answer: Answer) => void

/** Groups, as WuzAPI's `handlers.go` has them: whatever WhatsApp refuses is a 500 with the library's words. */
export const addGroupRoutes = (route: Route, state: State, { talk, sending }: { talk: Talk; sending: Sending }) => {
  const { core } = state
  const groupOf = (jid: string | undefined, what: string) => {
    const found = talk.groupBy(jid)
    if (!found) throw new WuzapiError(500, `Failed to ${what}: item-not-found`)
    return found
  }
  const info = (group: Group) => groupInfoOf(group, state.phone)
  route('GET', '/group/list', (user) => {
    sending.requireLink(user)
    return { Groups: state.groups.map(info) }
  })
  route('GET', '/group/info', (user, _body, { groupJID }) => {
    sending.requireLink(user)
    return info(groupOf(groupJID, 'get group info'))
  })
  route('GET', '/group/invitelink', (user, _body, { groupJID, reset }) => {
    sending.requireLink(user)
    const group = groupOf(groupJID, 'get group invite link')
    requireLeader(group, () => new WuzapiError(500, 'Failed to get group invite link: 401: not-authorized'))
    return { InviteLink: `https://chat.whatsapp.com/${inviteOf(group, reset === 'true')}` }
  })
  route('POST', '/group/create', (user, body) => {
    const { name, participants } = z
      .object({ name: z.string().min(1), participants: z.array(z.string()).min(1) })
      .parse(body)
    sending.requireLink(user)
    const people = participants.map(talk.reached).filter((one) => one.isOnWhatsApp && !one.refusesGroups)
    const made = talk.group(name, people, 'admin')
    core.changed()
    return info(made)
  })
  const act = (path: string, change: (group: Group, body: unknown) => unknown) =>
    route('POST', `/group/${path}`, async (user, body) => {
      const { GroupJID } = z.looseObject({ GroupJID: z.string() }).parse(body)
      sending.requireLink(user)
      const group = groupOf(GroupJID, 'update group')
      requireLeader(group, () => new WuzapiError(500, 'Failed to update group: 403: forbidden'))
      await change(group, body)
      core.changed()
      return { Details: 'Group updated successfully' }
    })
  act('name', (group, body) => {
    group.subject = z.object({ Name: z.string().min(1) }).parse(body).Name
  })
  act('topic', (group, body) => {
    group.description = z.object({ Topic: z.string() }).parse(body).Topic
  })
  act('photo', (group, body) => {
    group.picture = z.object({ Image: z.string().startsWith('data:image/jpeg;base64,') }).parse(body).Image
  })
  act('announce', (group, body) => {
    group.isAdminsOnly = z.object({ Announce: z.boolean() }).parse(body).Announce
  })
  act('updateparticipants', (group, body) => {
    const { Phone, Action } = z
      .object({ Phone: z.array(z.string()).min(1), Action: z.enum(['add', 'remove', 'promote', 'demote']) })
      .parse(body)
    const people = Phone.map(talk.reached)
    const codes = changePeople(group, Action, people)
    const changed = people.filter((_, at) => codes[at] === 200)
    if (changed.length) void talk.tellGroup(group, changeOf(Action, changed))
  })
}
