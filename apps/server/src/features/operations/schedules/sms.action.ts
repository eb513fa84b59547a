import type { Prepared } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { findConnection } from '../../channels/connections/context.ts'
import { filled } from '../../conversations/actions/words.ts'
import { writeOutgoing } from '../../conversations/messages/write-outgoing.ts'
import type { Catalogue } from '../../conversations/tickets/action-catalogue.ts'
import { activeTicket } from './write-due.ts'

/** Written to the contact's conversation by SMS, and to one that nobody has where there is none yet. */
export const sms: Catalogue['sms'] = {
  check: async ({ connectionId }, { tx }) => {
    const connection = await findConnection(connectionId)
    if (connection?.tenantId === tx.tenantId && connection.kind === 'sms') return undefined
    return { path: 'connectionId', message: 'Escolha um canal de SMS.' }
  },
  run: async ({ connectionId, body }, here) => {
    const { tx, by, ticket, directory, stepId } = here
    const connection = await findConnection(connectionId)
    if (connection?.tenantId !== tx.tenantId || connection.kind !== 'sms') throw new AppError('ERR_NO_WAPP_FOUND')
    const text = await filled(here, body)
    const [contact] = await tx.rows<Known>(knownContact, [tx.tenantId, ticket.contactId])
    if (!contact?.number) throw refused('O contato não tem telefone no cadastro.')
    const found = await activeTicket(tx, {
      connection,
      directory,
      row: {
        contactId: ticket.contactId,
        createdBy: by.actor?.userId ?? null,
        ...contact,
        contact: { isGroup: false },
      },
      rule: by.author.name,
    })
    if (!found) throw refused('O contato está em uma conversa por SMS que você não vê.')
    await writeOutgoing(tx, {
      ticket: { ...found, windowFrom: null },
      directory,
      author: by.author,
      cause: by.actor ? 'chat' : 'bot',
      purpose: 'service',
      drafts: [{ id: stepId, type: 'text', body: text }],
      effect: 'automatic',
    })
  },
  sentence: ({ body }) => `enviou um SMS ao cliente: ${body}`,
}

const refused = (message: string) => new AppError('ERR_INVALID_TRANSITION', { message })

type Known = { number: string | null; walletIds: string[] }
const knownContact: Prepared = {
  name: 'sms_contact',
  text: `select case when c.is_group then null else c.number end as number,
      array(select w.user_id from contact_wallets w where w.tenant_id = c.tenant_id and w.contact_id = c.id) as "walletIds"
    from contacts c where c.tenant_id = $1 and c.id = $2`,
}
