import { id, pageOf } from '@balcao/contract/common.ts'
import { contact, contactMerge, mergeBody, mergePreview } from '@balcao/contract/contacts/contacts.ts'
import {
  duplicatePair,
  duplicatesQuery,
  mergeCallBody,
  mergeManyBody,
  pairsBody,
} from '@balcao/contract/contacts/duplicates.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { listMerges, mergeContacts, previewMerge, undoMerge } from './contact-merge.service.ts'
import { keepApart, listDuplicates, suggestAgain } from './duplicates.ts'
import { mergeMany } from './merge-many-job.ts'

const params = z.object({ id })
const merges = { can: 'contacts.merge' } as const

export const contactMergeRoutes: Routes = (app) => {
  app.get(
    '/contacts/duplicates',
    {
      config: { ...merges, summary: 'Listar os contatos que podem ser repetidos' },
      schema: { querystring: duplicatesQuery, response: { 200: pageOf(duplicatePair) } },
    },
    (req) => listDuplicates(req.actor, req.query),
  )
  for (const [name, summary, decide] of [
    ['apart', 'Manter contatos separados', keepApart],
    ['suggest', 'Voltar a sugerir a união de contatos', suggestAgain],
  ] as const)
    app.post(
      `/contacts/duplicates/${name}`,
      { config: { ...merges, summary }, schema: { body: pairsBody, response: { 204: z.void() } } },
      async (req, reply) => {
        await decide(req.actor, req.body.pairs)
        return reply.status(204).send()
      },
    )
  app.post(
    '/contacts/duplicates/merge',
    {
      config: { ...merges, summary: 'Unir vários contatos repetidos' },
      schema: { body: mergeManyBody, response: { 202: bulkJob } },
    },
    async (req, reply) => reply.status(202).send(await mergeMany(req.actor, req.body)),
  )
  // As older clients call it: what is surely the same person, and what only a digit of the phone tells apart.
  for (const [url, summary, reasons] of [
    ['/contactsDeleteDuplicate', 'Unir os contatos repetidos', ['provider', 'document', 'email', 'phone']],
    ['/contactsGroupDuplicate', 'Unir os contatos repetidos pelo nono dígito', ['phone']],
  ] as const)
    app.post(
      url,
      { config: { ...merges, summary }, schema: { body: mergeCallBody, response: { 202: bulkJob } } },
      async (req, reply) =>
        reply.status(202).send(await mergeMany(req.actor, { keep: req.body?.keep ?? 'older', reasons: [...reasons] })),
    )
  app.post(
    '/contactMigrate',
    {
      config: {
        ...merges,
        summary: 'Passar tudo de um contato para outro',
        errors: ['ERR_CONTACTS_BOTH_ACTIVE', 'ERR_NO_CONTACT_FOUND'],
      },
      schema: { body: z.strictObject({ contactId: id, newContactId: id }), response: { 200: contact } },
    },
    ({ actor, body }) => mergeContacts(actor, body.newContactId, { otherId: body.contactId, take: [] }),
  )
  app.get(
    '/contacts/:id/merge/:otherId',
    {
      config: { ...merges, summary: 'Ver como ficaria a união de dois contatos', errors: ['ERR_NO_CONTACT_FOUND'] },
      schema: { params: z.object({ id, otherId: id }), response: { 200: mergePreview } },
    },
    (req) => previewMerge(req.actor, req.params.id, req.params.otherId),
  )
  app.post(
    '/contacts/:id/merge',
    {
      config: {
        ...merges,
        summary: 'Unir dois contatos',
        errors: ['ERR_CONTACTS_BOTH_ACTIVE', 'ERR_NO_CONTACT_FOUND'],
      },
      schema: { params, body: mergeBody, response: { 200: contact } },
    },
    (req) => mergeContacts(req.actor, req.params.id, req.body),
  )
  app.get(
    '/contacts/:id/merges',
    {
      config: { can: 'contacts.read', summary: 'Listar as uniões de um contato', errors: ['ERR_NO_CONTACT_FOUND'] },
      schema: { params, response: { 200: pageOf(contactMerge) } },
    },
    (req) => listMerges(req.actor, req.params.id),
  )
  app.post(
    '/contact-merges/:id/undo',
    {
      config: { ...merges, summary: 'Desfazer a união de dois contatos', errors: ['ERR_MERGE_NOT_LAST'] },
      schema: { params, response: { 200: contact } },
    },
    (req) => undoMerge(req.actor, req.params.id),
  )
}
