import { id, pageOf } from '@balcao/contract/common.ts'
import { groupMember } from '@balcao/contract/conversations/groups.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  createGroupsBody,
  type GroupAct,
  groupActBody,
  groupActRow,
  groupActRowsQuery,
  groupScheduleBody,
  groupScheduled,
  namedActs,
} from '@balcao/contract/operations/group-acts.ts'
import {
  groupIds,
  groupRow,
  groupsQuery,
  groupsRefresh,
  groupWithMembers,
  listGroupBody,
  oneGroupBody,
} from '@balcao/contract/operations/group-list.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { direct } from '../../../kit/egress.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { storeFile } from '../../core/media/media.service.ts'
import { groupActsExport, listActRows } from './acts.rows.ts'
import { groupsExport } from './groups.export.ts'
import { listGroups, meantGroups } from './groups.list.ts'
import { enqueueCreation, enqueueGroupAct, enqueueNamedAct } from './plan-acts.ts'
import { groupWithMembers as readGroup, refreshGroups } from './refresh-groups.ts'
import { scheduleToGroups } from './schedule-to-groups.ts'

const reads = { can: 'groups.read' } as const
const writes = { can: 'groups.write', errors: ['ERR_CHANNEL_UNSUPPORTED'] } as const
const ofConnection = { withLeft: false, isAdmin: false, count: false }

/** Groups our connections are in, and acts on many of them. */
export const groupListRoutes: Routes = (app) => {
  app.get(
    '/groups',
    {
      config: { ...reads, summary: 'Listar os grupos de todos os canais' },
      schema: { querystring: groupsQuery, response: { 200: pageOf(groupRow) } },
    },
    ({ actor, query }) => listGroups(actor, query),
  )
  app.post(
    '/groups/export',
    {
      config: { ...reads, summary: 'Exportar os grupos de todos os canais' },
      schema: { body: groupsQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await groupsExport.enqueue(actor, body)),
  )
  app.post(
    '/groups/refresh',
    {
      config: { ...reads, summary: 'Perguntar aos canais em que grupos eles estão', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { body: z.object({ whatsappId: id.optional() }), response: { 200: groupsRefresh } },
    },
    ({ actor, body }) => refreshGroups(actor, body.whatsappId),
  )
  app.post(
    '/listGroup',
    {
      config: { ...reads, summary: 'Listar os grupos de um canal', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { body: listGroupBody, response: { 200: pageOf(groupRow) } },
    },
    async ({ actor, body: { whatsappId, ...query } }) => {
      if (!query.cursor) await refreshGroups(actor, whatsappId)
      return listGroups(actor, { ...ofConnection, ...query, connectionIds: [whatsappId] })
    },
  )
  app.post(
    '/listGroupIds',
    {
      config: { ...reads, summary: 'Listar os identificadores dos grupos de um canal', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { body: listGroupBody.pick({ whatsappId: true }), response: { 200: groupIds } },
    },
    async ({ actor, body: { whatsappId } }) => {
      await refreshGroups(actor, whatsappId)
      const all = { ...ofConnection, searchParam: '', connectionIds: [whatsappId] }
      const groups = await withTenant(actor.tenantId, (tx) => meantGroups(tx, { all }))
      return { groupIds: groups.map(({ groupId }) => groupId) }
    },
  )
  app.post(
    '/listGroupById',
    {
      config: { ...reads, summary: 'Ler um grupo com quem está nele' },
      schema: { body: oneGroupBody, response: { 200: groupWithMembers } },
    },
    ({ actor, body }) => readGroup(actor, body),
  )
  app.post(
    '/listParticipants',
    {
      config: { ...reads, summary: 'Listar quem está em um grupo' },
      schema: { body: oneGroupBody, response: { 200: z.object({ participants: z.array(groupMember) }) } },
    },
    async ({ actor, body }) => ({ participants: (await readGroup(actor, body)).participants }),
  )
  app.post(
    '/groupActs',
    {
      config: { ...writes, summary: 'Mudar vários grupos' },
      schema: { body: groupActBody, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await enqueueGroupAct(actor, body)),
  )
  app.post(
    '/groups/schedule',
    {
      config: { can: 'schedules.write', summary: 'Agendar uma mensagem a vários grupos' },
      schema: { body: groupScheduleBody, response: { 201: groupScheduled } },
    },
    async ({ actor, body }, reply) => reply.status(201).send({ scheduled: await scheduleToGroups(actor, body) }),
  )
  app.get(
    '/groupActs/:id/rows',
    {
      config: { ...reads, summary: 'Ler o que foi feito em cada grupo' },
      schema: { params: z.object({ id }), querystring: groupActRowsQuery, response: { 200: pageOf(groupActRow) } },
    },
    ({ actor, params, query }) => listActRows(actor, params.id, query),
  )
  app.post(
    '/groupActs/:id/export',
    {
      config: { ...reads, summary: 'Exportar o que foi feito em cada grupo' },
      schema: { params: z.object({ id }), response: { 202: bulkJob } },
    },
    async ({ actor, params }, reply) =>
      reply.status(202).send(await groupActsExport.enqueue(actor, { jobId: params.id, state: [] })),
  )
  app.post(
    '/createGroups',
    {
      config: { ...writes, summary: 'Criar grupos', errors: ['ERR_NO_WAPP_FOUND', 'ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: createGroupsBody, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await enqueueCreation(actor, body)),
  )

  type Named = { whatsappId: string; groupIds: string[]; restSeconds: number }
  const named = <Body extends z.ZodType<Named>>(
    path: string,
    summary: string,
    body: Body,
    actOf: (asked: z.output<Body>, actor: Actor) => GroupAct | Promise<GroupAct>,
  ) =>
    app.post(
      path,
      { config: { ...writes, summary }, schema: { body, response: { 202: bulkJob } } },
      async ({ actor, body: given }, reply) => {
        const asked = body.parse(given) // as the route has read it; its type is lost on the way
        return reply.status(202).send(await enqueueNamedAct(actor, asked, await actOf(asked, actor)))
      },
    )
  named('/changeTitles', 'Trocar o nome de grupos', namedActs.changeTitles, ({ title }) => ({ kind: 'title', title }))
  named('/changeDescriptions', 'Trocar a descrição de grupos', namedActs.changeDescriptions, ({ description }) => ({
    ...{ kind: 'description', description },
  }))
  named(
    '/changePicturesUrl',
    'Trocar a foto de grupos por um endereço',
    namedActs.changePicturesUrl,
    async ({ url }, actor) => ({
      ...{ kind: 'picture', mediaId: await pictureAt(actor, url) },
    }),
  )
  named(
    '/changePicturesFile',
    'Trocar a foto de grupos por um arquivo',
    namedActs.changePicturesFile,
    ({ mediaId }) => ({
      ...{ kind: 'picture', mediaId },
    }),
  )
  named(
    '/setAdminsOnlyForGroups',
    'Escolher quem escreve em grupos',
    namedActs.setAdminsOnlyForGroups,
    ({ adminsOnly }) => ({
      ...{ kind: 'adminsOnly', isOn: adminsOnly },
    }),
  )
  named('/inviteLinksOfGroups', 'Pedir os links de convite de grupos', namedActs.inviteLinks, ({ isRenewed }) => ({
    ...{ kind: 'inviteLink', isRenewed },
  }))
  const people = [
    ['/addParticipantsToGroups', 'add', 'Adicionar pessoas a grupos'],
    ['/removeParticipantsFromGroups', 'remove', 'Remover pessoas de grupos'],
    ['/promoteParticipantsInGroups', 'promote', 'Tornar pessoas administradoras de grupos'],
    ['/demoteParticipantsInGroups', 'demote', 'Tirar pessoas da administração de grupos'],
  ] as const
  for (const [path, kind, summary] of people)
    named(path, summary, namedActs.memberAct, ({ numbers }) => ({ kind, numbers, invites: true }))
}

/** A picture at an address of somebody's, fetched once and kept as a file. */
const pictureAt = async (actor: Actor, url: string): Promise<string> => {
  const refuse = (message: string) => fieldErrors({ path: 'url', message })
  const answer = await direct.http(url, { maxBytes: 10_000_000 }).catch(() => undefined)
  if (answer?.status !== 200) throw refuse('Não conseguimos baixar a foto deste endereço.')
  const { id, kind } = await storeFile({
    ...{ tenantId: actor.tenantId, userId: actor.userId, name: 'foto.jpg', bytes: answer.bytes },
  })
  if (kind !== 'image') throw refuse('Neste endereço não há uma foto JPG ou PNG.')
  return id
}
