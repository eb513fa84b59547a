import type { MessageTemplate, templatesQuery } from '@balcao/contract/channels/templates.ts'
import { z } from 'zod'
import { ChannelError } from '../../../channels/adapter.ts'
import { templateShapeOf } from '../../../channels/template-shape.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { getConnection } from '../connections/connections.service.ts'
import { findConnection, type OpenConnection } from '../connections/context.ts'
import { newsOf } from './template-news.ts'
import { findTemplates, replaceTemplates, type TemplateRow } from './templates.queries.ts'

const pageSize = 50

/** The templates of the company's connections, each with the price of one message. */
export const listTemplates = async (actor: Actor, query: z.output<typeof templatesQuery>) => {
  const directory = await getDirectory(actor.tenantId)
  const limit = query.limit ?? pageSize
  return withTenant(actor.tenantId, async (tx) => {
    const after = query.cursor ? readCursor(query.cursor, cursorKey) : undefined
    const rows = await findTemplates(tx, { ...query, limit, after })
    const page = toPage(rows, limit, (row) => [row.name, row.language, row.id])
    return { ...page, items: page.items.map((row) => presentTemplate(row, directory)) }
  })
}
const cursorKey = z.tuple([z.string(), z.string(), z.uuid()])

/** Asks the provider now, for a person who waits. */
export const syncNow = async (actor: Actor, connectionId: string) => {
  // Ours first: another company's connection is nothing to look into.
  await getConnection(actor.tenantId, connectionId)
  const connection = await findConnection(connectionId)
  if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
  if (!connection.adapter.templates) {
    throw new AppError('ERR_CHANNEL_UNSUPPORTED', { message: 'Este canal não usa modelos de mensagem.' })
  }
  try {
    return await syncTemplates(connection)
  } catch (error) {
    if (error instanceof ChannelError) throw new AppError('ERR_CHANNEL_REFUSED', { message: error.textForCaller })
    throw error
  }
}

/** Makes our templates those of the provider; throws ChannelError. */
export const syncTemplates = async (connection: OpenConnection) => {
  const askedAt = new Date()
  const templates = (await connection.adapter.templates?.(connection.context)) ?? []
  await withTenant(connection.tenantId, async (tx) => {
    const changed = await replaceTemplates(tx, connection.id, templates, askedAt)
    if (!changed) return
    const news = changed.flatMap((one) => newsOf(one) ?? [])
    const told = { connectionId: connection.id, news }
    await emit(tx, 'templates.updated', told, { kind: 'permission', can: 'messages.write' })
  })
  return { total: templates.length, approved: templates.filter(({ status }) => status === 'APPROVED').length }
}

/** A stored template with the price of one message. */
export const presentTemplate = (row: TemplateRow, { settings }: Directory): MessageTemplate => {
  const parsed = templateShapeOf(row.components)
  const prices: Partial<Record<string, number>> = settings.templatePrices
  return {
    id: row.id,
    connectionId: row.connectionId,
    name: row.name,
    language: row.language,
    category: row.category,
    status: row.status,
    rejectedReason: row.rejectedReason,
    quality: row.quality,
    shape: 'shape' in parsed ? parsed.shape : null,
    obstacle: 'obstacle' in parsed ? parsed.obstacle : null,
    price: prices[row.category] ?? null,
    syncedAt: row.syncedAt.toISOString(),
  }
}
