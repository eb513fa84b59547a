import * as voiceCalls from './automation/voice-calls/voice-calls.action.ts'
import * as contacts from './conversations/actions/contacts.action.ts'
import * as marks from './conversations/actions/marks.action.ts'
import * as messages from './conversations/actions/messages.action.ts'
import * as tickets from './conversations/actions/tickets.action.ts'
import * as webhooks from './conversations/actions/webhook.action.ts'
import type { Catalogue } from './conversations/tickets/action-catalogue.ts'
import * as schedules from './operations/schedules/schedules.action.ts'
import * as sms from './operations/schedules/sms.action.ts'
import * as mail from './people/mail/mail.action.ts'
import * as opportunities from './sales/funnel/opportunities.action.ts'
import * as quickMessages from './service/quick-messages/quick-messages.action.ts'

/** What each action of the catalogue does: such a file exports actions alone, and one that is forgotten does not compile. */
export const catalogue: Catalogue = {
  ...contacts,
  ...marks,
  ...messages,
  ...tickets,
  ...webhooks,
  ...voiceCalls,
  ...schedules,
  ...sms,
  ...mail,
  ...quickMessages,
  ...opportunities,
}
