/** What may be done to a group as its member or administrator; a channel names those it can (`abilities.groupActs`). */
export const groupActKinds = [
  'create',
  'title',
  'description',
  'picture',
  'adminsOnly',
  'add',
  'remove',
  'promote',
  'demote',
  'inviteLink',
  /** Taking back what somebody else wrote. */
  'deleteMessage',
] as const
export type GroupActKind = (typeof groupActKinds)[number]

/** WhatsApp's: people in a group with us among them. */
export const mostInGroup = 1_024
/** WhatsApp makes a group of 257 in one call; so many keep each call short, and what became of each person near. */
export const mostPerCall = 100

export const memberActs = ['add', 'remove', 'promote', 'demote'] as const satisfies GroupActKind[]
export type MemberAct = (typeof memberActs)[number]
