import type { Tx } from '../../../db/database.ts'
import { identitiesOfMerge, tagsOfMerge, walletsOfMerge } from '../../contacts/contacts/merge-contacts.ts'
import type { ContactMergePart, MergeMoved, MergeWay } from '../../contacts/contacts/merge-part.ts'
import { ticketsOfMerge, votesOfMerge } from '../../conversations/tickets/merge-contacts.ts'
import { opportunitiesOfMerge } from '../../sales/funnel/merge-contacts.ts'
import { ratingsOfMerge } from '../../service/ratings/merge-contacts.ts'
import { schedulesOfMerge } from '../schedules/merge-contacts.ts'
import { tasksOfMerge } from '../tasks/merge-contacts.ts'

/** What holds contacts, in the order in which it changes hands. */
export const parts: ContactMergePart[] = [
  identitiesOfMerge,
  ticketsOfMerge,
  votesOfMerge,
  ratingsOfMerge,
  schedulesOfMerge,
  tasksOfMerge,
  opportunitiesOfMerge,
  tagsOfMerge,
  walletsOfMerge,
]
/** Tables that name a contact and stay as they are, with the reason. */
export const untouched: Record<string, string> = {
  campaign_recipients: 'whoever waits there is reached as whom they are part of by then, and answers as them',
  audience: 'whoever waits there is reached as whom they are part of by then',
  birthday_greetings: 'who was greeted this year was greeted, as whom they were then',
  files: 'a file says from whom it came',
  contact_merges: 'the record of merges itself',
  pictures: 'each is asked for anew when it is wanted',
  groups: 'a group is no person: it is never merged',
  group_members: 'who is in a group; members are named by what they are known by, not by their contact',
  contact_words: 'a trigger writes them of the name, and only of who is somebody',
  duplicate_checks: 'who is nobody any more is compared with nobody',
  contact_import_rows: 'what an import wrote, and into whom: taking it back leaves who became part of somebody',
  contact_values: 'a trigger writes them of the contact itself',
  contact_facets: 'a trigger writes them of the contact and what it has',
  ticket_episodes: 'facts follow the ticket, which a trigger marks when it changes hands',
  contact_summary: 'triggers write it of the tickets, tags and owners that move',
  contact_activity: 'the kept contact gets the later of both moments with its other values',
}

export const mergeParts = async (tx: Tx, way: MergeWay): Promise<MergeMoved> => {
  const moved: Partial<MergeMoved> = {}
  for (const part of parts) Object.assign(moved, await part.merge(tx, way))
  return moved as MergeMoved // each part has put in its own
}

export const undoParts = async (tx: Tx, way: MergeWay, moved: MergeMoved) => {
  for (const part of parts) await part.undo(tx, way, moved)
}
