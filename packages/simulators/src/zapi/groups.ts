import { z } from 'zod'
import { changePeople, inviteOf } from '../whatsapp/group-acts.ts'
import type { Callbacks } from './callbacks.ts'
import type { ZapiCustomer } from './customer.ts'
import type { Route } from './routes.ts'
import { type Group, newId, type State, ZapiError } from './state.ts'
import type { Talk } from './talk.ts'

/** Groups: whoever may not is answered `{ value: false }`, and nothing is said of single people. */
export const addGroupRoutes = (
  route: Route,
  state: State,
  { talk, callbacks }: { talk: Talk; callbacks: Callbacks },
) => {
  const { core, instance } = state
  const groupOf = (id: string | undefined) => {
    const found = state.groups.find((one) => one.id === id)
    if (!found) throw new ZapiError(400, 'Group not found')
    return found
  }
  const requireLink = () => {
    if (!instance.connected) throw new ZapiError(400, 'You are not connected.')
  }
  route('GET', 'group-metadata/:id', ({ params }) => {
    const found = groupOf(params.id)
    const participants = [
      ...found.members.map(({ customer, isAdmin }) => ({
        phone: customer.shownPhone,
        lid: `${customer.lid}@lid`,
        name: customer.name,
        isAdmin,
        isSuperAdmin: false,
      })),
      ...(found.ours ? [{ phone: state.phone, isAdmin: found.ours === 'admin', isSuperAdmin: false }] : []),
    ]
    return {
      phone: found.id,
      subject: found.subject,
      description: found.description ?? null,
      adminOnlyMessage: found.isAdminsOnly ?? false,
      participants,
    }
  })
  route('POST', 'create-group', ({ body }) => {
    const { groupName, phones } = z
      .object({ autoInvite: z.boolean(), groupName: z.string().min(1), phones: z.array(z.string()).min(1) })
      .parse(body)
    requireLink()
    const people = phones.map(talk.reached).filter((one) => one.isOnWhatsApp && !one.refusesGroups)
    const made = talk.group(groupName, people, 'admin')
    core.changed()
    return { phone: made.id, invitationLink: linkOf(made, false) }
  })
  const linkOf = (group: Group, isRenewed: boolean) => `https://chat.whatsapp.com/${inviteOf(group, isRenewed)}`
  route('POST', 'group-invitation-link/:id', ({ params }) => {
    const group = groupOf(params.id)
    if (group.ours === 'member') throw new ZapiError(400, 'not-authorized')
    return { phone: group.id, invitationLink: linkOf(group, false) }
  })
  route('POST', 'redefine-invitation-link/:id', ({ params }) => {
    const group = groupOf(params.id)
    if (group.ours === 'member') throw new ZapiError(400, 'not-authorized')
    return { invitationLink: linkOf(group, true), value: true }
  })
  const act = (path: string, change: (group: Group, body: unknown) => unknown) =>
    route('POST', path, ({ body }) => {
      const { groupId } = z.looseObject({ groupId: z.string() }).parse(body)
      requireLink()
      const group = groupOf(groupId)
      if (group.ours === 'member') return { value: false }
      change(group, body)
      core.changed()
      return { value: true }
    })
  act('update-group-name', (group, body) => {
    group.subject = z.object({ groupName: z.string().min(1) }).parse(body).groupName
  })
  act('update-group-description', (group, body) => {
    group.description = z.object({ groupDescription: z.string() }).parse(body).groupDescription
  })
  act('update-group-photo', (group, body) => {
    group.picture = z.object({ groupPhoto: z.string().min(1) }).parse(body).groupPhoto
  })
  act('update-group-settings', (group, body) => {
    group.isAdminsOnly = z.object({ adminOnlyMessage: z.boolean() }).parse(body).adminOnlyMessage
  })
  const people = [
    ['add-participant', 'add', 'GROUP_PARTICIPANT_ADD'],
    ['remove-participant', 'remove', 'GROUP_PARTICIPANT_REMOVE'],
    ['add-admin', 'promote', 'GROUP_PARTICIPANT_PROMOTE'],
    ['remove-admin', 'demote', 'GROUP_PARTICIPANT_DEMOTE'],
  ] as const
  for (const [path, what, notification] of people)
    act(path, (group, body) => {
      const { phones } = z.object({ phones: z.array(z.string()).min(1) }).parse(body)
      const asked = phones.map(talk.reached)
      const codes = changePeople(group, what, asked)
      const changed = asked.filter((_, at) => codes[at] === 200)
      if (changed.length) void callbacks.emit('received', 'ReceivedCallback', noticeOf(group, notification, changed))
    })
}

const noticeOf = (group: Group, notification: string, people: ZapiCustomer[]) => ({
  messageId: newId(),
  phone: group.id,
  isGroup: true,
  fromMe: true,
  chatName: group.subject,
  notification,
  notificationParameters: people.map(({ phone }) => phone),
})
