import { wordsIn } from '@balcao/contract/channels/webchat-look.ts'
import type { WebchatMessage, webchatSend } from '@balcao/contract/intake/webchat.ts'
import type { z } from 'zod'
import type { Content, InboundEvent, InboundMessage } from '../../../channels/adapter.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { ingest } from '../inbound/inbound.service.ts'
import type { Caller } from './sessions.ts'
import { getUpload } from './uploads.ts'
import { identityOf, placeholderName, saveContact } from './visitor-contact.ts'
import { findSent } from './window-messages.ts'
import { contactRoom, listenToContact, tellWindows } from './windows.ts'

type Sent = z.output<typeof webchatSend>

/** A visitor's message enters by the same door as every provider's; the same clientId again is the same message. */
export const receiveFromVisitor = async (caller: Caller, input: Sent): Promise<WebchatMessage> => {
  const { tenantId, connectionId } = caller
  const content = await contentOf(caller, input)
  const contactId = caller.contactId ?? (await saveContact(caller, caller.profile))
  if (!caller.contactId) listenToContact(caller, contactId) // before the message: its automatic answer must arrive too
  const providerId = `${caller.visitorId}:${input.clientId}`
  const answers = await offerOf(caller, input)
  const event: InboundEvent = {
    kind: 'message',
    providerId,
    fromMe: false,
    timestamp: new Date(),
    content,
    from: { identities: [identityOf(caller)], name: placeholderName(caller) },
    ...(answers && { answers }),
    ...(input.replyTo ? { quotedProviderId: await providerIdOf(caller, contactId, input.replyTo) } : {}),
  }
  await ingest(tenantId, connectionId, [event])
  const shown = await findSent(tenantId, connectionId, providerId)
  if (!shown) throw new AppError('ERR_CREATING_MESSAGE')
  const room = contactRoom(tenantId, connectionId, contactId)
  const offered = answers && (await findSent(tenantId, connectionId, answers.providerId))
  if (offered) tellWindows(room, 'message', offered)
  tellWindows(room, 'message', shown) // the visitor's other tabs
  return shown
}

/** In the words that were shown, once; what the company has taken back meanwhile was never said. */
const offerOf = async (caller: Caller, { offer }: Sent): Promise<InboundMessage['answers']> => {
  const { tenantId, connectionId, visitorId, webchat } = caller
  const said = offer && webchat.config.proactive.find(({ id }) => id === offer.id)
  if (!said) return undefined
  const providerId = `${visitorId}:${offer.key}`
  if (await findSent(tenantId, connectionId, providerId)) return undefined
  return { providerId, rule: 'Mensagem proativa', body: wordsIn(offer.language, said.text, said.texts) }
}

const contentOf = async (caller: Caller, { text, mediaId, buttonId }: Sent): Promise<Content> => {
  if (mediaId) {
    const file = await getUpload(caller, mediaId)
    return { type: file.kind, body: text, mediaId: file.id }
  }
  const body = text.trim() ? text : (buttonId ?? '')
  if (!body.trim()) throw fieldErrors({ path: 'text', message: 'Escreva a mensagem.' })
  return { type: 'text', body, choice: buttonId ?? undefined }
}

/** What was replied to, if it is of this very conversation. */
const providerIdOf = async ({ tenantId, connectionId }: Caller, contactId: string, messageId: string) => {
  const [row] = await withTenant(tenantId, (tx) =>
    tx.rows<{ providerId: string | null }>(quoted, [tenantId, messageId, connectionId, contactId]),
  )
  return row?.providerId ?? undefined
}
const quoted: Prepared = {
  name: 'webchat_provider_id',
  text: `select provider_id as "providerId" from messages
    where tenant_id = $1 and id = $2 and connection_id = $3 and contact_id = $4`,
}
