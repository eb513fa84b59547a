import { id } from '@balcao/contract/common.ts'
import {
  journalExport,
  journalPage,
  journalQuery,
  replayBody,
  replayCount,
  replayCountQuery,
  wholeJournalEntry,
} from '@balcao/contract/intake/journal.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { journalCsv } from './journal.export.ts'
import { countReplayable, listJournal, readEntry, replayEntry } from './journal.service.ts'
import { enqueueReplay } from './replay-job.ts'

const params = z.object({ id })
const one = z.object({ id, entryId: id })

/** What came over a channel and what became of it; whoever sets channels up has it handled once more. */
export const journalRoutes: Routes = (app) => {
  app.get(
    '/whatsapp/:id/journal',
    {
      config: { can: 'journal.read', summary: 'Listar o que um canal recebeu', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { params, querystring: journalQuery, response: { 200: journalPage } },
    },
    ({ actor, params, query }) => listJournal(actor, params.id, query),
  )
  app.get(
    '/whatsapp/:id/journal/count',
    {
      config: {
        can: 'journal.read',
        summary: 'Contar o que pode ser processado de novo',
        errors: ['ERR_NO_WAPP_FOUND'],
      },
      schema: { params, querystring: replayCountQuery, response: { 200: replayCount } },
    },
    ({ actor, params, query }) => countReplayable(actor, params.id, query),
  )
  app.post(
    '/whatsapp/:id/journal/export',
    {
      config: {
        can: 'journal.read',
        summary: 'Pedir a exportação do que um canal recebeu',
        errors: ['ERR_NO_WAPP_FOUND'],
      },
      schema: { params, body: journalExport, response: { 202: bulkJob } },
    },
    async ({ actor, params, body }, reply) =>
      reply.status(202).send(await journalCsv.enqueue(actor, { ...body, connectionId: params.id })),
  )
  app.get(
    '/whatsapp/:id/journal/:entryId',
    {
      config: {
        can: 'journal.read',
        summary: 'Ler um aviso recebido, com o conteúdo do provedor',
        errors: ['ERR_NO_WAPP_FOUND', 'ERR_NOT_FOUND'],
      },
      schema: { params: one, response: { 200: wholeJournalEntry } },
    },
    ({ actor, params }) => readEntry(actor, params.id, params.entryId),
  )
  app.post(
    '/whatsapp/:id/journal/replay',
    {
      config: {
        can: 'connections.write',
        summary: 'Processar de novo o que um canal recebeu',
        errors: ['ERR_NO_WAPP_FOUND'],
      },
      schema: { params, body: replayBody, response: { 200: bulkJob } },
    },
    ({ actor, params, body }) => enqueueReplay(actor, params.id, body),
  )
  app.post(
    '/whatsapp/:id/journal/:entryId/replay',
    {
      config: {
        can: 'connections.write',
        summary: 'Processar de novo um aviso recebido',
        errors: ['ERR_NO_WAPP_FOUND', 'ERR_NOT_FOUND'],
      },
      schema: { params: one, response: { 200: wholeJournalEntry } },
    },
    ({ actor, params }) => replayEntry(actor, params.id, params.entryId),
  )
}
