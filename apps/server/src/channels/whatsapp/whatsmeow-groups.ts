import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { ListedGroup, Participant } from '../adapter.ts'
import { memberId } from '../members.ts'
import { identitiesOf, identityOf } from './jids.ts'

/** `types.GroupInfo` of the library whatsmeow, which WuzAPI and uazapi hand on as it is. */
export const groupInfo = z.object({
  JID: loose(z.string()),
  Name: loose(z.string()),
  Topic: loose(z.string()),
  IsAnnounce: loose(z.boolean()),
  Participants: loose(
    z.array(
      z.object({
        JID: z.string(),
        PhoneNumber: loose(z.string()),
        LID: loose(z.string()),
        DisplayName: loose(z.string()),
        IsAdmin: loose(z.boolean()),
        IsSuperAdmin: loose(z.boolean()),
        Error: loose(z.number()),
      }),
    ),
  ),
})
export type GroupInfo = z.output<typeof groupInfo>

export const participantsOf = (told: NonNullable<GroupInfo['Participants']>): Participant[] =>
  told.flatMap(({ JID, PhoneNumber, LID, DisplayName, IsAdmin, IsSuperAdmin }) => {
    const identities = identitiesOf(JID, PhoneNumber, LID)
    const [first] = identities
    const roles = { isAdmin: Boolean(IsAdmin || IsSuperAdmin), isOwner: Boolean(IsSuperAdmin) }
    return first ? [{ id: memberId(first), name: DisplayName || null, ...roles, identities }] : []
  })

/** Every group of a list, with who is in it where it says so. */
export const listedGroups = (rows: unknown): ListedGroup[] =>
  z
    .array(z.unknown())
    .catch([])
    .parse(rows)
    .flatMap((one) => groupInfo.safeParse(one).data ?? [])
    .flatMap(({ JID, Name, Topic, IsAnnounce, Participants }) => {
      const identity = identityOf(JID)
      if (identity?.kind !== 'group') return []
      const members = Participants?.length ? participantsOf(Participants) : undefined
      return { identities: [identity], name: Name || null, description: Topic, isAdminsOnly: IsAnnounce, members }
    })
