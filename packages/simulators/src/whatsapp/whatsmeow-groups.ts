import type { WhatsAppCustomer } from './customer.ts'
import type { Group } from './people.ts'

/** A group as the library whatsmeow describes it; the number of the business among its members. */
export const groupInfoOf = (group: Group, phone: string) => ({
  JID: group.jid,
  Name: group.subject,
  Topic: group.description ?? '',
  IsAnnounce: group.isAdminsOnly ?? false,
  IsLocked: false,
  Participants: [
    ...group.members.map(({ customer, isAdmin }) => ({
      JID: `${customer.lid}@lid`,
      PhoneNumber: customer.jid,
      LID: `${customer.lid}@lid`,
      IsAdmin: isAdmin,
      IsSuperAdmin: isAdmin,
      DisplayName: '',
      Error: 0,
    })),
    ...(group.ours ? [{ JID: `${phone}@s.whatsapp.net`, IsAdmin: group.ours === 'admin', IsSuperAdmin: false }] : []),
  ],
})

const fields: Record<string, string> = { add: 'Join', remove: 'Leave', promote: 'Promote', demote: 'Demote' }
/** What the group tells of it. */
export const changeOf = (act: string, people: WhatsAppCustomer[]) => ({
  [fields[act] ?? act]: people.map(({ lid }) => `${lid}@lid`),
})
