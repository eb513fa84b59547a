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

export const memberActs = ['add', 'remove', 'promote', 'demote'] as const satisfies GroupActKind[]
export type MemberAct = (typeof memberActs)[number]
