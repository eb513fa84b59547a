import { changePeople, inviteOf, requireLeader } from '../whatsapp/group-acts.ts'
import type { Group } from '../whatsapp/people.ts'
import type { createTalk } from './talk.ts'
import { Refusal } from './wire.ts'

type Given = { talk: ReturnType<typeof createTalk>; tell: (events: Record<string, unknown>) => void }
/** `WebMessageInfo.StubType`: the notice that stands in the group. */
const stubs = { add: 27, remove: 28, promote: 29, demote: 30 } as const
const actions = ['add', 'remove', 'promote', 'demote'] as const

/** The library's calls for groups; WhatsApp's refusals come as its errors. */
export const groupAnswers = ({ talk, tell }: Given): Record<string, (args: unknown[]) => unknown> => {
  const groupOf = (jid: unknown): Group => {
    const found = talk.groupBy(String(jid))
    if (!found) throw new Refusal('item-not-found', 404)
    return found
  }
  const led = (jid: unknown): Group => {
    const group = groupOf(jid)
    requireLeader(group, () => new Refusal('forbidden', 403))
    return group
  }
  return {
    groupFetchAllParticipating: () => Object.fromEntries(talk.groups.map(({ jid }) => [jid, talk.metadataOf(jid)])),
    groupCreate: ([subject, jids]) => {
      const people = (jids as string[]).map(talk.reached).filter((one) => one.isOnWhatsApp && !one.refusesGroups)
      return talk.metadataOf(talk.group(String(subject), people, 'admin').jid)
    },
    groupUpdateSubject: ([jid, subject]) => {
      led(jid).subject = String(subject)
    },
    groupUpdateDescription: ([jid, description]) => {
      led(jid).description = description ? String(description) : undefined
    },
    groupSettingUpdate: ([jid, setting]) => {
      led(jid).isAdminsOnly = setting === 'announcement'
    },
    updateProfilePicture: ([jid, picture]) => {
      led(jid).picture = Buffer.from(picture as Uint8Array).toString('base64')
    },
    groupInviteCode: ([jid]) => inviteOf(led(jid), false),
    groupRevokeInvite: ([jid]) => inviteOf(led(jid), true),
    groupParticipantsUpdate: ([jid, jids, action]) => {
      const group = led(jid)
      const people = (jids as string[]).map(talk.reached)
      const act = actions.find((one) => one === action) ?? 'add'
      const codes = changePeople(group, act, people)
      const changed = people.filter((_, at) => codes[at] === 200)
      const [first] = changed
      if (first) {
        tell({
          'group-participants.update': {
            id: group.jid,
            author: '',
            action: act,
            participants: changed.map((one) => ({ id: `${one.lid}@lid`, phoneNumber: one.jid })),
          },
        })
        const shown = changed.map((one) => JSON.stringify({ id: `${one.lid}@lid`, phoneNumber: one.jid }))
        talk.tellGroup(group, first, stubs[act], shown)
      }
      return (jids as string[]).map((one, at) => ({ jid: one, status: String(codes[at]) }))
    },
  }
}
