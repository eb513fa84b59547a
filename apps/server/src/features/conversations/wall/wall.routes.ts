import { id as idSchema, moment, pageOf } from '@balcao/contract/common.ts'
import {
  type DashTickets,
  type DashTicketsQuery,
  dashTickets,
  dashTicketsQuery,
  type Wall,
  type WallHeads,
  type WallQuery,
  wall,
  wallCard,
  wallCardsQuery,
  wallHeads,
  wallQuery,
} from '@balcao/contract/conversations/wall.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { readCursor } from '../../../kit/cursor.ts'
import type { Routes } from '../../../kit/http.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { viewerOf } from '../tickets/tickets.policy.ts'
import { readAgents, readColumns, readFirstCards, readMoreCards, type WallScope } from './wall.queries.ts'

/** Cards of a column at first, and at a time: sixty columns stay a small answer. */
const firstCards = 8
const moreCards = 30

/** The supervisor's wall: what is going on now, within what this person may see. */
export const wallRoutes: Routes = (app) => {
  const config = { can: 'tickets.supervise' } as const
  app.get(
    '/wall',
    {
      config: { ...config, summary: 'Ler o painel do supervisor' },
      schema: { querystring: wallQuery, response: { 200: wall } },
    },
    (req) => readWall(req.actor, req.query),
  )
  app.get(
    '/dash-tickets-queues',
    {
      config: { ...config, summary: 'Agrupar os atendimentos ativos por pessoa, fila ou estado' },
      schema: { querystring: dashTicketsQuery, response: { 200: dashTickets } },
    },
    (req) => readGroups(req.actor, req.query),
  )
  // What events cannot tell a screen that has only the first cards of a column.
  app.get(
    '/wall/heads',
    {
      config: { ...config, summary: 'Ler os números do painel do supervisor' },
      schema: { querystring: wallQuery, response: { 200: wallHeads } },
    },
    (req) => readHeads(req.actor, req.query),
  )
  app.get(
    '/wall/cards',
    {
      config: { ...config, summary: 'Listar os cartões de uma coluna do painel' },
      schema: { querystring: wallCardsQuery, response: { 200: pageOf(wallCard) } },
    },
    (req) => readCards(req.actor, req.query),
  )
}

const readWall = async (actor: Actor, query: WallQuery): Promise<Wall> => {
  const who = await viewerFor(actor)
  return withTenant(actor.tenantId, async (tx) => {
    const cards = await readFirstCards(tx, who, query, firstCards)
    return {
      agents: await readAgents(tx, who.directory),
      columns: await readColumns(tx, who.viewer, query),
      cards: Object.fromEntries(cards.map(({ column, page }) => [column, page])),
    }
  })
}

const readHeads = async (actor: Actor, query: WallQuery): Promise<WallHeads> => {
  const { viewer, directory } = await viewerFor(actor)
  return withTenant(actor.tenantId, async (tx) => ({
    agents: await readAgents(tx, directory),
    columns: await readColumns(tx, viewer, query),
  }))
}

const readGroups = async (actor: Actor, query: DashTicketsQuery): Promise<DashTickets> => {
  const { group, dateStart, dateEnd, status, queuesIds, showAll } = query
  const who = await viewerFor(actor)
  const { directory, viewer } = who
  const scope: WallScope = {
    group,
    queuesIds,
    whatsappIds: [],
    ...(status.length && { status }),
    showAll,
    created: { dateFrom: dateStart, dateTo: dateEnd, timezone: directory.timezone },
  }
  return withTenant(actor.tenantId, async (tx) => {
    const cards = new Map((await readFirstCards(tx, who, scope, moreCards)).map(({ column, page }) => [column, page]))
    const columns = await readColumns(tx, viewer, scope)
    return columns
      .map(({ key, open, pending }) => {
        const tickets = cards.get(key)?.items ?? []
        return { key, label: labelOf(key, directory), qtd: open + pending, open, pending, tickets }
      })
      .sort((a, b) => b.qtd - a.qtd || a.label.localeCompare(b.label, 'pt-BR'))
  })
}
const stateLabels: Record<string, string> = {
  pending: 'Pendentes',
  open: 'Em atendimento',
  paused: 'Em pausa',
  bot: 'No robô',
}
const labelOf = (key: string, { people, queues }: Directory): string => {
  const [kind, value = ''] = key.split(':')
  if (kind === 'status') return stateLabels[value] ?? value
  if (kind === 'user') return people.get(value)?.name ?? 'Pessoa excluída'
  return value === 'none' ? 'Sem fila' : (queues.get(value)?.name ?? 'Fila excluída')
}

const cursorKey = z.tuple([z.union([moment, z.literal('infinity')]), idSchema])
const readCards = async (actor: Actor, { cursor, ...query }: z.output<typeof wallCardsQuery>) => {
  const [key, id] = cursor === undefined ? [] : readCursor(cursor, cursorKey)
  const who = await viewerFor(actor)
  const after = key !== undefined && id !== undefined ? { key, id } : undefined
  return withTenant(actor.tenantId, (tx) => readMoreCards(tx, who, { ...query, after }, moreCards))
}

const viewerFor = async (actor: Actor) => {
  const directory = await getDirectory(actor.tenantId)
  return { directory, viewer: viewerOf(directory, actor.userId) }
}
