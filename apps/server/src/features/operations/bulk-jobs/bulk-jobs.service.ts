import type { BulkJob, BulkJobKind, bulkCountQuery } from '@balcao/contract/operations/bulk-jobs.ts'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { contacts } from '../../../db/schema/contacts/contacts.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { countSelected, type JobParams, type Selection } from './bulk-selection.ts'

/** Puts work over many conversations on the list of jobs. */
export const enqueueTicketJob = async (actor: Actor, kind: BulkJobKind, params: JobParams): Promise<BulkJob> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await checkParams(tx, directory, params)
    const total = await countSelected(tx, { directory, userId: actor.userId }, params.selection)
    if (params.selection.ticketIds && total === 0) throw new AppError('ERR_NO_TICKET_FOUND')
    return enqueueJob(tx, actor, { kind, params, total })
  })
}

/** How many conversations a job of this kind would reach now: what the confirmation says. */
export const countForJob = async (actor: Actor, { kind, ...place }: z.output<typeof bulkCountQuery>) => {
  const directory = await getDirectory(actor.tenantId)
  const selection: Selection = { ...place, status: statusOf(place.status), isUnread: kind === 'markRead' }
  const count = await withTenant(actor.tenantId, async (tx) => {
    await checkParams(tx, directory, { selection })
    return countSelected(tx, { directory, userId: actor.userId }, selection)
  })
  return { count }
}
/** Nothing chosen means what is being attended or waits. */
export const statusOf = (chosen: Selection['status']): Selection['status'] =>
  chosen.length ? chosen : ['open', 'pending']

/** Nothing of another company is ever referred to, and nobody is handed work who cannot do it. */
const checkParams = async (tx: Tx, directory: Directory, params: JobParams) => {
  const { selection, newWhatsappId, destinationQueueId, userId, reasonId, tagIds } = params
  const wanted = [selection.whatsappId, newWhatsappId].filter((id) => id !== undefined)
  if (wanted.length) {
    const found = await tx.db
      .select({ id: connections.id })
      .from(connections)
      .where(and(eq(connections.tenantId, tx.tenantId), inArray(connections.id, wanted), isNull(connections.deletedAt)))
    if (found.length < new Set(wanted).size) throw new AppError('ERR_NO_WAPP_FOUND')
  }
  if (newWhatsappId && newWhatsappId === selection.whatsappId)
    throw fieldErrors({ path: 'newWhatsappId', message: 'Escolha outro canal como destino.' })
  if (selection.contactId) {
    const [contact] = await tx.db
      .select({ id: contacts.id })
      .from(contacts)
      .where(and(eq(contacts.tenantId, tx.tenantId), eq(contacts.id, selection.contactId)))
    if (!contact) throw new AppError('ERR_NO_CONTACT_FOUND')
  }
  if (selection.queueId && !directory.queues.has(selection.queueId))
    throw fieldErrors({ path: destinationQueueId ? 'sourceQueueId' : 'queueId', message: 'Fila não encontrada.' })
  if (destinationQueueId) {
    const queue = directory.queues.get(destinationQueueId)
    if (!queue) throw fieldErrors({ path: 'destinationQueueId', message: 'Fila não encontrada.' })
    if (!queue.isActive) throw fieldErrors({ path: 'destinationQueueId', message: 'Esta fila está inativa.' })
    if (destinationQueueId === selection.queueId)
      throw fieldErrors({ path: 'destinationQueueId', message: 'Escolha outra fila como destino.' })
  }
  if (tagIds?.some((id) => !directory.tags.has(id)))
    throw fieldErrors({ path: 'tagIds', message: 'Etiqueta não encontrada.' })
  if (reasonId !== undefined) {
    const reason = reasonId === null ? undefined : directory.reasons.get(reasonId)
    const isAsked = directory.settings.forceReason && [...directory.reasons.values()].some((one) => one.isActive)
    if (reasonId && !reason?.isActive) throw fieldErrors({ path: 'reasonId', message: 'Motivo não encontrado.' })
    if (isAsked && !reason) throw fieldErrors({ path: 'reasonId', message: 'Escolha o motivo do encerramento.' })
  }
  if (userId) {
    const person = directory.people.get(userId)
    if (!person) throw fieldErrors({ path: 'userId', message: 'Usuário não encontrado.' })
    if (person.isBlocked || !person.permissions.has('tickets.write'))
      throw fieldErrors({ path: 'userId', message: 'Este usuário não pode atender.' })
  }
}
