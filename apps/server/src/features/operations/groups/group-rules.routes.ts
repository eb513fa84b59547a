import { id, type namedRef, pageOf } from '@balcao/contract/common.ts'
import type { media } from '@balcao/contract/core/media.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  banResource,
  bansBody,
  bansReport,
  farewellResourceOfGroups,
  greetingProblems,
  greetingResource,
  groupLog,
  groupLogsQuery,
  wordResource,
} from '@balcao/contract/operations/group-rules.ts'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { contacts } from '../../../db/schema/contacts/contacts.ts'
import { connectionGroups } from '../../../db/schema/conversations/connection-groups.ts'
import { groupBans, groupFarewells, groupGreetings, groupWords } from '../../../db/schema/operations/group-rules.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { crud } from '../../../kit/crud.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { emitAll } from '../../../kit/outbox.ts'
import { parsePhone } from '../../contacts/contacts/phone.ts'
import { presentMedia, type StoredFile } from '../../core/media/media.present.ts'
import { filesByIds, sendableFile } from '../../core/media/stored-files.ts'
import { banMany, refusals } from './ban-many.ts'
import { groupLogsExport, listGroupLogs } from './group-logs.ts'
import { banThoseThere } from './log-rules.ts'

type Place = { whatsappId?: string; groupIds?: string[]; groupId?: string | null }
/** Where a rule is to hold: a connection that has groups, and groups it is in. */
const placeAfter = async (tx: Tx, input: Place, before: { whatsappId: string; groupIds: string[] } | undefined) => {
  const whatsappId = input.whatsappId ?? before?.whatsappId ?? ''
  const groupIds = input.groupId ? [input.groupId] : (input.groupIds ?? before?.groupIds ?? [])
  const [connection] = await tx.db
    .select({ abilities: connections.abilities })
    .from(connections)
    .where(and(eq(connections.tenantId, tx.tenantId), eq(connections.id, whatsappId), isNull(connections.deletedAt)))
  if (!connection?.abilities.supports.includes('groupMessages'))
    throw fieldErrors({ path: 'whatsappId', message: 'Escolha um canal que tenha grupos.' })
  if (groupIds.length && (input.groupId || input.groupIds || input.whatsappId)) {
    const known = await tx.db
      .select({ groupId: connectionGroups.groupId })
      .from(connectionGroups)
      .where(
        and(
          eq(connectionGroups.tenantId, tx.tenantId),
          eq(connectionGroups.connectionId, whatsappId),
          inArray(connectionGroups.groupId, groupIds),
        ),
      )
    if (known.length < new Set(groupIds).size)
      throw fieldErrors({ path: 'groupIds', message: 'Este canal não está em um dos grupos escolhidos.' })
  }
  return { whatsappId, groupIds: [...new Set(groupIds)] }
}

/** Their channel and groups by name, in one statement each. */
const presentPlaces = async <Row extends { whatsappId: string; groupIds: string[] }>(tx: Tx, rows: Row[]) => {
  const names = async (table: typeof connections | typeof contacts, ids: string[]) => {
    if (!ids.length) return new Map<string, string>()
    const isThere = table === connections ? isNull(connections.deletedAt) : undefined
    const found = await tx.db
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(and(eq(table.tenantId, tx.tenantId), inArray(table.id, [...new Set(ids)]), isThere))
    return new Map(found.map((one) => [one.id, one.name]))
  }
  const channels = await names(
    connections,
    rows.map(({ whatsappId }) => whatsappId),
  )
  const groups = await names(
    contacts,
    rows.flatMap(({ groupIds }) => groupIds),
  )
  return rows.map((row) => ({
    ...row,
    connection: { id: row.whatsappId, name: channels.get(row.whatsappId) ?? 'Canal excluído' },
    groups: row.groupIds.flatMap((one): z.output<typeof namedRef>[] => {
      const name = groups.get(one)
      return name === undefined ? [] : [{ id: one, name }]
    }),
    groupId: row.groupIds[0] ?? null,
  }))
}

const bans = crud(banResource, {
  table: groupBans,
  search: [groupBans.number, groupBans.reason],
  beforeWrite: async (tx, { before, input }) => {
    const place = await placeAfter(tx, input, before)
    if (input.number === undefined) return place
    const number = parsePhone(input.number)
    if (!number) throw fieldErrors({ path: 'number', message: 'Confira o número: DDD e telefone.' })
    const problem = (await refusals(tx, place, before?.id))(number)
    if (problem) throw fieldErrors({ path: 'number', message: problem })
    return { ...place, number }
  },
  afterWrite: (tx, { id }) => banThoseThere(tx, [id]),
  present: presentPlaces,
})

const words = crud(wordResource, {
  table: groupWords,
  search: [groupWords.word],
  beforeWrite: async (tx, { before, input }) => {
    const place = await placeAfter(tx, input, before)
    if (!input.spared) return place
    const spared = input.spared.map((typed) => ({ typed, phone: parsePhone(typed) }))
    const wrong = spared.find(({ phone }) => !phone)
    if (wrong) throw fieldErrors({ path: 'spared', message: `Confira o número: ${wrong.typed}.` })
    return { ...place, spared: spared.flatMap(({ phone }) => phone ?? []) }
  },
  present: presentPlaces,
})

const sayings = (resource: typeof greetingResource | typeof farewellResourceOfGroups, table: typeof groupGreetings) =>
  crud(resource, {
    table,
    search: [table.message],
    beforeWrite: async (tx, { actor, before, input }) => {
      const place = await placeAfter(tx, input, before)
      const message = input.message ?? before?.message ?? ''
      const mediaId = input.mediaId === undefined ? (before?.mediaId ?? null) : input.mediaId
      const problems = greetingProblems({ message, mediaId })
      if (problems.length) throw fieldErrors(...problems)
      if (mediaId && mediaId !== before?.mediaId) await requireFile(tx, actor, mediaId)
      return { ...place, message, mediaId }
    },
    present: async (tx, rows) => {
      const ids = rows.flatMap(({ mediaId }) => mediaId ?? [])
      const files = ids.length ? await tx.rows<StoredFile>(filesByIds, [tx.tenantId, ids]) : []
      const placed = await presentPlaces(tx, rows)
      return placed.map((row): (typeof placed)[number] & { media: z.output<typeof media> | null } => {
        const file = files.find(({ id }) => id === row.mediaId)
        return { ...row, media: file ? presentMedia(file, { tenantId: tx.tenantId }) : null }
      })
    },
  })
const requireFile = async (tx: Tx, actor: Actor, mediaId: string) => {
  const [file] = await tx.rows<StoredFile>(sendableFile, [tx.tenantId, mediaId, actor.userId, actor.queueIds])
  if (!file) throw fieldErrors({ path: 'mediaId', message: 'O arquivo não foi encontrado. Envie-o novamente.' })
}

/** Rules for groups, and what they did. */
export const groupRuleRoutes: Routes = (app) => {
  bans(app)
  words(app)
  sayings(greetingResource, groupGreetings)(app)
  sayings(farewellResourceOfGroups, groupFarewells as unknown as typeof groupGreetings)(app) // tables of one shape
  app.post(
    '/banList/import',
    {
      config: { can: 'groups.write', summary: 'Banir vários números' },
      bodyLimit: 10 * 1024 * 1024,
      schema: { body: bansBody, response: { 200: bansReport } },
    },
    ({ actor, body }) =>
      withTenant(actor.tenantId, async (tx) =>
        banMany(tx, actor, { ...body, ...(await placeAfter(tx, body, undefined)) }, presentPlaces),
      ),
  )
  app.delete(
    '/banListAll',
    {
      config: { can: 'groups.write', summary: 'Tirar todos os números banidos' },
      schema: {
        querystring: z.object({ whatsappId: id.optional() }),
        response: { 200: z.object({ deleted: z.int() }) },
      },
    },
    ({ actor, query }) => clearBans(actor, query.whatsappId),
  )
  app.get(
    '/groupLogs',
    {
      config: { can: 'groups.read', summary: 'Listar o que as regras fizeram nos grupos' },
      schema: { querystring: groupLogsQuery, response: { 200: pageOf(groupLog) } },
    },
    ({ actor, query }) => listGroupLogs(actor, query),
  )
  app.get(
    '/banList/:id/logs',
    {
      config: { can: 'groups.read', summary: 'Listar o que as regras fizeram em um grupo' },
      schema: {
        params: z.object({ id }),
        querystring: groupLogsQuery.omit({ groupId: true }),
        response: { 200: pageOf(groupLog) },
      },
    },
    ({ actor, params, query }) => listGroupLogs(actor, { ...query, groupId: params.id }),
  )
  app.post(
    '/groupLogs/export',
    {
      config: { can: 'groups.read', summary: 'Exportar o que as regras fizeram nos grupos' },
      schema: { body: groupLogsQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await groupLogsExport.enqueue(actor, body)),
  )
}

const clearBans = (actor: Actor, whatsappId?: string) =>
  withTenant(actor.tenantId, async (tx) => {
    const gone = await tx.db
      .delete(groupBans)
      .where(and(eq(groupBans.tenantId, tx.tenantId), whatsappId ? eq(groupBans.whatsappId, whatsappId) : undefined))
      .returning({ id: groupBans.id })
    if (gone.length)
      await writeAudit(tx, actor, {
        ...{ action: 'groupBan.cleared', entity: 'groupBan', entityId: 'all' },
        before: null,
        after: { count: gone.length },
      })
    await emitAll(
      tx,
      gone.map(({ id }) => ({
        name: 'groupBan.deleted' as const,
        payload: { id },
        audience: { kind: 'permission' as const, can: 'groups.read' as const },
      })),
    )
    return { deleted: gone.length }
  })
