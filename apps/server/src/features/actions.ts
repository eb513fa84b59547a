import type { Catalogue } from './conversations/actions/action.ts'
import { addContactTags, removeContactTags, wallet } from './conversations/actions/contacts.action.ts'
import { mark } from './conversations/actions/marks.action.ts'
import { note, send } from './conversations/actions/messages.action.ts'
import {
  addTags,
  channel,
  close,
  forceClose,
  markRead,
  pause,
  priority,
  queue,
  removeTags,
  reopen,
  resume,
  transfer,
} from './conversations/actions/tickets.action.ts'
import { schedule } from './operations/schedules/schedules.action.ts'
import { email } from './people/mail/mail.action.ts'
import { sendQuick } from './service/quick-messages/quick-messages.action.ts'

/** What each action of the catalogue does: one that is forgotten does not compile. */
export const catalogue: Catalogue = {
  send,
  sendQuick,
  note,
  addTags,
  removeTags,
  transfer,
  queue,
  channel,
  priority,
  pause,
  resume,
  mark,
  markRead,
  addContactTags,
  removeContactTags,
  wallet,
  schedule,
  email,
  reopen,
  close,
  forceClose,
}
