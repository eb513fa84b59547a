import { reachedBy } from '@balcao/contract/channels/index.ts'
import type { campaignTestBody, campaignTested } from '@balcao/contract/operations/campaigns/calls.ts'
import type { CampaignContent } from '@balcao/contract/operations/campaigns/content.ts'
import { contentVariables } from '@balcao/contract/operations/campaigns/variables.ts'
import { v5, v7 } from 'uuid'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { resolveContact } from '../../contacts/contacts/identify.ts'
import { parsePhone } from '../../contacts/contacts/phone.ts'
import { laneName } from '../../contacts/lanes/lane-name.ts'
import { wakeSender } from '../../conversations/messages/sender.ts'
import { composeOutgoing } from '../../conversations/messages/write-outgoing.ts'
import { hiddenTicket, keepHidden } from '../../conversations/timeline/hidden-tickets.ts'
import { previewOf } from '../../conversations/timeline/preview.ts'
import { storeMessages } from '../../conversations/timeline/store.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { findCampaign, type StoredCampaign } from './campaigns.present.ts'
import { checkingOf, contentProblems } from './problems.ts'
import { renderSend } from './render.ts'
import { sayingsOf } from './sayings.ts'

/**
 * One variant as somebody would get it, sent to a phone or e-mail of whoever asks: nobody's recipient, in no number of the
 * campaign. What is not known of oneself stands there by its name.
 */
export const sendTest = async (
  actor: Actor,
  id: string,
  { step, variant, connectionId, to }: z.output<typeof campaignTestBody>,
): Promise<z.output<typeof campaignTested>> => {
  const connection = await findConnection(connectionId)
  if (!connection || connection.tenantId !== actor.tenantId) throw new AppError('ERR_NO_WAPP_FOUND')
  const identity = identityOf(connection, to)
  return withTenant(actor.tenantId, async (tx) => {
    const row = await findCampaign(tx, id)
    const content = row.plan.steps[step]?.variants[variant]?.content
    if (!content) throw fieldErrors({ path: 'variant', message: 'Esta variante não existe.' })
    await refuseProblems(tx, row, content, connectionId)
    const { contactId } = await resolveContact(tx, { identities: [identity], name: actor.name })
    const drafts = await draftsFor(tx, { row, content, connectionId, contactId })
    const directory = await getDirectory(tx.tenantId)
    const now = new Date()
    const ticket = {
      ...hiddenTicket(connection, { id: contactId, isGroup: false }, now),
      windowFrom: await heardAt(tx, contactId, connectionId),
    }
    const first = v7()
    const messages = await composeOutgoing(tx, {
      ...{ ticket, directory, author: byUser(actor), cause: 'campaign', purpose: 'service', effect: 'nothing', now },
      drafts: drafts.map((draft, at) => ({ ...draft, id: at ? v5(`parte:${at}`, first) : first })),
    })
    const last = messages.at(-1)?.message
    if (!last) throw fieldErrors({ path: 'to', message: 'Não há nada para enviar.' })
    await keepHidden(tx, [{ ticket, preview: previewOf(last), type: last.type }])
    storeMessages(tx, { messages, tickets: [] })
    tx.afterCommit(wakeSender)
    await writeAudit(tx, actor, {
      ...{ action: 'campaign.tested', entity: 'campaign', entityId: id },
      after: { step, variant, connection: connection.id },
    })
    return { texts: messages.map(({ message }) => message.body), messageIds: messages.map(({ message }) => message.id) }
  })
}

const identityOf = ({ kind, abilities }: OpenConnection, to: string) => {
  const ways = reachedBy(kind, abilities)
  const mail = z.email().safeParse(to.toLowerCase())
  if (ways.includes('email') && mail.success) return { kind: 'email' as const, value: mail.data }
  const phone = parsePhone(to)
  if (ways.includes('phone') && phone) return { kind: 'phone' as const, value: phone }
  if (!ways.includes('phone') && !ways.includes('email'))
    throw fieldErrors({
      path: 'connectionId',
      message: 'Este canal só escreve a quem já escreveu: escolha outro para o teste.',
    })
  throw fieldErrors({
    path: 'to',
    message: ways.includes('email') ? 'Informe um e-mail válido.' : 'Informe um telefone com DDD.',
  })
}

const refuseProblems = async (tx: Tx, row: StoredCampaign, content: CampaignContent, connectionId: string) => {
  const checking = await checkingOf(tx, { ...row, connectionIds: [connectionId] })
  const [problem] = contentProblems(content, checking)
  if (problem) throw fieldErrors({ path: 'to', message: problem.message })
}

type Drafting = { row: StoredCampaign; content: CampaignContent; connectionId: string; contactId: string }
const draftsFor = async (tx: Tx, { row, content, connectionId, contactId }: Drafting) => {
  const names = contentVariables(content)
  const plan = {
    ...row.plan,
    onMissing: 'fallback' as const,
    fallbacks: { ...Object.fromEntries(names.map((name) => [name, `[${name}]`])), ...filledOf(row.plan.fallbacks) },
  }
  const saying = (await sayingsOf(tx, { ...row, plan }, [connectionId])).get(connectionId)
  const [contact] = await tx.rows<Person>(person, [tx.tenantId, contactId])
  if (!saying || !contact) throw new AppError('ERR_NO_WAPP_FOUND')
  const windowFrom = await heardAt(tx, contactId, connectionId)
  const rendered = renderSend(saying, content, { id: contactId, contact, vars: null, windowFrom })
  if (!rendered.drafts) throw fieldErrors({ path: 'to', message: rendered.error ?? 'Faltam dados para as variáveis.' })
  return rendered.drafts
}
const filledOf = (fallbacks: Record<string, string>) =>
  Object.fromEntries(Object.entries(fallbacks).filter(([, words]) => words.trim()))

type Person = Parameters<typeof renderSend>[2]['contact']
const person: Prepared = {
  name: 'campaign_test_person',
  text: `select c.name, c.email, c.number, business_name as "businessName",
      ${laneName} as kanban, extra_info as "extraInfo" from contacts c where c.tenant_id = $1 and c.id = $2`,
}
const heardAt = async (tx: Tx, contactId: string, connectionId: string): Promise<Date | null> =>
  (await tx.rows<{ at: Date | null }>(heard, [tx.tenantId, contactId, connectionId]))[0]?.at ?? null
const heard: Prepared = {
  name: 'campaign_test_heard',
  text: 'select max(last_inbound_at) as at from tickets where tenant_id = $1 and contact_id = $2 and connection_id = $3',
}
