import {
  flow,
  flowAccounts,
  flowDraft,
  flowDraftChange,
  flowDraftChanged,
  flowDuplicate,
  flowEventBody,
  flowFile,
  flowImported,
  flowNumbers,
  flowNumbersQuery,
  flowProblems,
  flowPublish,
  flowResource,
  flowRuns,
  flowsNaming,
  flowVersion,
  flowVersionGraph,
  flowVersionsQuery,
} from '@balcao/contract/automation/flows/flows.ts'
import { id, pageOf } from '@balcao/contract/common.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { crud } from '../../../kit/crud.ts'
import type { Routes } from '../../../kit/http.ts'
import { readFlowAccounts } from './accounts.ts'
import { changeDraft, getDraft } from './draft.ts'
import { tellRun } from './events.ts'
import { duplicateFlow, exportFlow, importFlow } from './files.ts'
import { flowOptions } from './flows.rows.ts'
import { findFlowsNaming } from './flows-naming.ts'
import { draftProblems } from './problems.ts'
import { readNumbers, readRuns } from './trace.ts'
import { getVersion, listVersions, publishDraft, publishVersion, restoreVersion } from './versions.ts'

const can = 'flows.write'
const administration = crud(flowResource, flowOptions)
const params = z.object({ id })
const versionParams = z.object({ id, versionId: id })

/** Flows: as a list, as drafts that several people write at once, and as versions that run. */
export const flowRoutes: Routes = (app) => {
  administration(app)
  app.get(
    '/chat-flow-naming/:id',
    {
      config: { can: 'tickets.write', summary: 'Ver em que fluxos se usa um cadastro' },
      schema: { params, response: { 200: flowsNaming } },
    },
    ({ actor, params }) => withTenant(actor.tenantId, async (tx) => ({ items: await findFlowsNaming(tx, params.id) })),
  )
  app.get(
    '/chat-flow-accounts',
    {
      config: { can, summary: 'Listar os assistentes e as agendas que um fluxo pode usar' },
      schema: { response: { 200: flowAccounts } },
    },
    ({ actor }) => readFlowAccounts(actor.tenantId),
  )
  app.post(
    '/chat-flow-duplicate',
    { config: { can, summary: 'Duplicar um fluxo' }, schema: { body: flowDuplicate, response: { 201: flow } } },
    async ({ actor, body }, reply) => reply.status(201).send(await duplicateFlow(actor, body.id)),
  )
  app.get(
    '/chat-flow/:id/draft',
    { config: { can, summary: 'Ler o rascunho de um fluxo' }, schema: { params, response: { 200: flowDraft } } },
    ({ actor, params }) => getDraft(actor, params.id),
  )
  app.post(
    '/chat-flow/:id/draft',
    {
      config: { can, summary: 'Mudar passos do rascunho de um fluxo', errors: ['ERR_CONFLICT'] },
      schema: { params, body: flowDraftChange, response: { 200: flowDraftChanged } },
    },
    ({ actor, params, body }) => changeDraft(actor, params.id, body),
  )
  app.get(
    '/chat-flow/:id/problems',
    {
      config: { can, summary: 'Conferir o rascunho de um fluxo' },
      schema: { params, response: { 200: flowProblems } },
    },
    async ({ actor, params }) => ({ items: await draftProblems(actor, params.id) }),
  )
  app.post(
    '/chat-flow/:id/publish',
    {
      config: { can, summary: 'Publicar o rascunho de um fluxo', errors: ['ERR_CONFLICT'] },
      schema: { params, body: flowPublish, response: { 200: flow } },
    },
    ({ actor, params, body }) => publishDraft(actor, params.id, body),
  )
  app.get(
    '/chat-flow/:id/versions',
    {
      config: { can, summary: 'Listar as versões de um fluxo' },
      schema: { params, querystring: flowVersionsQuery, response: { 200: pageOf(flowVersion) } },
    },
    ({ actor, params, query }) => listVersions(actor, params.id, query),
  )
  app.get(
    '/chat-flow/:id/versions/:versionId',
    {
      config: { can, summary: 'Ler uma versão de um fluxo' },
      schema: { params: versionParams, response: { 200: flowVersionGraph } },
    },
    ({ actor, params }) => getVersion(actor, params.id, params.versionId),
  )
  app.post(
    '/chat-flow/:id/versions/:versionId/restore',
    {
      config: { can, summary: 'Pôr uma versão de volta no rascunho' },
      schema: { params: versionParams, response: { 200: z.object({ revision: z.int() }) } },
    },
    ({ actor, params }) => restoreVersion(actor, params.id, params.versionId),
  )
  app.post(
    '/chat-flow/:id/versions/:versionId/publish',
    {
      config: { can, summary: 'Publicar de novo uma versão de um fluxo' },
      schema: { params: versionParams, response: { 200: flow } },
    },
    ({ actor, params }) => publishVersion(actor, params.id, params.versionId),
  )
  app.get(
    '/chat-flow/:id/numbers',
    {
      config: { can, summary: 'Contar as conversas que passaram por um fluxo', errors: ['ERR_BUSY', 'ERR_TOO_SLOW'] },
      schema: { params, querystring: flowNumbersQuery, response: { 200: flowNumbers } },
    },
    ({ actor, params, query }) => readNumbers(actor, params.id, query),
  )
  app.get(
    '/tickets/:id/flow-runs',
    {
      config: {
        can: 'tickets.read',
        summary: 'Ler o que fluxos fizeram em um atendimento',
        errors: ['ERR_NO_TICKET_FOUND'],
      },
      schema: { params, response: { 200: flowRuns } },
    },
    async ({ actor, params }) => ({ items: await readRuns(actor, params.id) }),
  )
  app.post(
    '/chat-flow-event',
    {
      config: {
        can: 'tickets.write',
        summary: 'Avisar o fluxo de um atendimento de que algo aconteceu',
        errors: ['ERR_NO_TICKET_FOUND', 'ERR_INVALID_TRANSITION'],
      },
      schema: { body: flowEventBody, response: { 204: z.void() } },
    },
    async ({ actor, body }, reply) => {
      await tellRun(actor, body)
      return reply.status(204).send()
    },
  )
  app.get(
    '/chat-flow/:id/export',
    { config: { can, summary: 'Exportar um fluxo' }, schema: { params, response: { 200: flowFile } } },
    async ({ actor, params }, reply) => {
      const file = await exportFlow(actor, params.id)
      const name = encodeURIComponent(`${file.name}.json`)
      return reply.header('content-disposition', `attachment; filename*=UTF-8''${name}`).send(file)
    },
  )
  app.put(
    '/chat-flow-import/:id',
    {
      config: { can, summary: 'Importar um fluxo' },
      schema: { params, body: z.record(z.string(), z.unknown()), response: { 200: flowImported } },
    },
    ({ actor, params, body }) => importFlow(actor, params.id, body),
  )
}
