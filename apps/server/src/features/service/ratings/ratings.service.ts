import type { Page } from '@balcao/contract/common.ts'
import type { ticketLog } from '@balcao/contract/conversations/tickets.ts'
import type { Rating, RatingSettings, ratingCreate, ratingUpdate } from '@balcao/contract/service/ratings.ts'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { logTicket } from '../../conversations/tickets/ticket-history.ts'
import { readLogs } from '../../conversations/tickets/ticket-logs.ts'
import { findTicket } from '../../conversations/tickets/ticket-rows.ts'
import { lockVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { byContact, factsOf } from '../../conversations/timeline/ticket-facts.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { saveSettings } from '../../people/settings/settings.service.ts'
import { findRating, tellRating } from './ratings.present.ts'

/** A grade the customer gave by another way, written down by the team. One conversation has one opinion. */
export const createRating = async (actor: Actor, input: z.output<typeof ratingCreate>): Promise<Rating> => {
  const directory = await getDirectory(actor.tenantId)
  checkGrade(directory, input.grade)
  return withTenant(actor.tenantId, async (tx) => {
    const ticket = await lockVisibleTicket(tx, actor, input.ticketId)
    if (ticket.status !== 'closed')
      throw new AppError('ERR_INVALID_TRANSITION', { message: 'Encerre o atendimento antes de registrar a avaliação.' })
    const [asked] = await tx.rows<{ id: string; grade: number | null }>(ofTicket, [tx.tenantId, ticket.id])
    if (asked?.grade != null)
      throw new AppError('ERR_CONFLICT', { message: 'Este atendimento já tem uma nota. Corrija a que existe.' })
    const id = asked?.id ?? v7()
    const { whatsappId, contactId, userId, queueId } = ticket
    if (!asked) await tx.rows(insert, [tx.tenantId, id, ticket.id, contactId, whatsappId, userId, queueId])
    return grade(tx, { actor, directory, id, input, ticket })
  })
}

/** A grade the customer gives while the conversation is still on: kept as that of the conversation. */
export const keepGrade = async (tx: Tx, directory: Directory, given: { ticketId: string; grade: number }) => {
  checkGrade(directory, given.grade)
  const ticket = await findTicket(tx, given.ticketId)
  if (!ticket) throw new AppError('ERR_NO_TICKET_FOUND')
  const [asked] = await tx.rows<{ id: string; grade: number | null }>(ofTicket, [tx.tenantId, ticket.id])
  const id = asked?.id ?? v7()
  const { whatsappId, contactId, userId, queueId } = ticket
  if (!asked) await tx.rows(insert, [tx.tenantId, id, ticket.id, contactId, whatsappId, userId, queueId])
  await tx.rows(setGrade, [tx.tenantId, id, given.grade, null])
  const label = directory.settings.rating.options.find(({ value }) => value === given.grade)?.label
  const note = [given.grade, label].filter((part) => part !== undefined).join(' – ')
  await logTicket(tx, byContact(ticket), { ticketId: ticket.id, type: 'rating', note, to: { grade: given.grade } })
  await tellRating(tx, directory, id, factsOf(ticket))
}

export const updateRating = async (actor: Actor, id: string, input: z.output<typeof ratingUpdate>): Promise<Rating> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const before = await requireRating(tx, actor, id)
    checkGrade(directory, input.grade)
    return grade(tx, { actor, directory, id, input, ticket: before.ticket })
  })
}

export const deleteRating = (actor: Actor, id: string): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    const { rating, ticket } = await requireRating(tx, actor, id)
    await tx.rows(remove, [tx.tenantId, id])
    await logTicket(tx, byUser(actor), {
      ticketId: ticket.id,
      type: 'rating',
      userId: actor.userId,
      note: 'Avaliação excluída',
    })
    await writeAudit(tx, actor, { action: 'delete', entity: 'rating', entityId: id, before: audited(rating) })
  })

/** What was said of a conversation's grades, newest first. */
export const readRatingLogs = (actor: Actor, ticketId: string): Promise<Page<z.output<typeof ticketLog>>> =>
  readLogs(actor, ticketId, { type: 'rating' })

/** PUT /tenants/rating and /tenantsRatingData: how customers are asked. */
export const saveRatingSettings = async (actor: Actor, change: Partial<RatingSettings>): Promise<RatingSettings> => {
  const { settings } = await getDirectory(actor.tenantId)
  return (await saveSettings(actor, { rating: { ...settings.rating, ...change } })).rating
}

type Graded = {
  actor: Actor
  directory: Directory
  id: string
  input: { grade: number; comment?: string }
  ticket: Awaited<ReturnType<typeof lockVisibleTicket>>
}
const grade = async (tx: Tx, { actor, directory, id, input, ticket }: Graded): Promise<Rating> => {
  const before = await findRating(tx, id)
  await tx.rows(setGrade, [tx.tenantId, id, input.grade, input.comment?.replaceAll('\0', '').toWellFormed() ?? null])
  const after = await findRating(tx, id)
  if (!before || !after) throw new AppError('ERR_NOT_FOUND')
  const label = directory.settings.rating.options.find(({ value }) => value === input.grade)?.label
  const note = [input.grade, label].filter((part) => part !== undefined).join(' – ')
  await logTicket(tx, byUser(actor), { ticketId: ticket.id, type: 'rating', userId: actor.userId, note })
  await writeAudit(tx, actor, {
    action: before.grade === null ? 'create' : 'update',
    entity: 'rating',
    entityId: id,
    before: audited(before),
    after: audited(after),
  })
  await tellRating(tx, directory, id, factsOf(ticket))
  return after
}

const requireRating = async (tx: Tx, actor: Actor, id: string) => {
  const rating = await findRating(tx, id)
  if (!rating) throw new AppError('ERR_NOT_FOUND')
  return { rating, ticket: await lockVisibleTicket(tx, actor, rating.ticketId) }
}

const checkGrade = ({ settings }: Directory, grade: number) => {
  if (settings.rating.options.some(({ value }) => value === grade)) return
  throw fieldErrors({ path: 'grade', message: 'Escolha uma das notas da sua escala.' })
}

const audited = ({ ticketId, status, grade, comment }: Rating) => ({ ticketId, status, grade, comment })

const ofTicket: Prepared = {
  name: 'rating_of_ticket',
  text: `select id, grade from ratings where tenant_id = $1 and ticket_id = $2
    order by (grade is null), created_at desc limit 1 for update`,
}
const insert: Prepared = {
  name: 'rating_by_hand',
  text: `insert into ratings (tenant_id, id, ticket_id, contact_id, connection_id, user_id, queue_id, status, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, 'expired', now())`,
}
const setGrade: Prepared = {
  name: 'rating_set_grade',
  text: `update ratings set grade = $3, comment = coalesce($4, comment), status = 'answered',
      answered_at = coalesce(answered_at, now()), expires_at = least(expires_at, now())
    where tenant_id = $1 and id = $2`,
}
const remove: Prepared = { name: 'rating_delete', text: 'delete from ratings where tenant_id = $1 and id = $2' }
