import { id, pageOf } from '@balcao/contract/common.ts'
import { contact } from '@balcao/contract/contacts/contacts.ts'
import {
  contactImport,
  contactImportsQuery,
  importBody,
  importCheckBody,
  importRowsPage,
  importRowsQuery,
  importUploadQuery,
  vcardBody,
} from '@balcao/contract/contacts/imports.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { csvHeaders } from '../../../kit/csv.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { importGiven } from './import-given.ts'
import { listImportRows, problemFile } from './import-views.ts'
import {
  checkImport,
  discardImport,
  getImport,
  listImports,
  runImport,
  undoImport,
  uploadImport,
} from './imports.service.ts'
import { mostBytes, tooLarge } from './receive-file.ts'
import { saveCards } from './save-cards.ts'

const params = z.object({ id })
const noFile = () => fieldErrors({ path: 'file', message: 'Escolha um arquivo.' })

export const importRoutes: Routes = (app) => {
  const can = 'contacts.import' as const
  app.post(
    '/contacts/upload',
    {
      config: {
        can,
        rateLimit: { max: 30, timeWindow: '1 minute', keyGenerator: (req: FastifyRequest) => req.actor.userId },
        summary: 'Enviar uma planilha ou um vCard de contatos',
        takesFile: true,
        errors: ['ERR_TOO_MANY'],
      },
      schema: { querystring: importUploadQuery, response: { 201: contactImport } },
    },
    async (req, reply) => {
      if (!req.isMultipart()) throw noFile()
      // A file of 1 GB is refused by what it says of itself, before any of it is taken.
      if (Number(req.headers['content-length'] ?? 0) > mostBytes + 64 * 1024) throw tooLarge()
      const part = await req.file({ limits: { fileSize: mostBytes + 1, files: 1 } })
      if (!part) throw noFile()
      const { start, hasHeadings, ...how } = req.query
      const wanted = { ...how, ...(req.query.hasHeadings !== undefined && { hasHeadings: req.query.hasHeadings }) }
      const made = await uploadImport(req.actor, { name: part.filename, stream: part.file, wanted, start })
      return reply.status(201).send(made)
    },
  )
  app.post(
    '/contacts/import',
    {
      config: { can, summary: 'Importar contatos enviados na própria chamada' },
      schema: { body: importBody, response: { 202: contactImport } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await importGiven(actor, body)),
  )
  app.post(
    '/contactVcard',
    {
      config: {
        can: 'contacts.write',
        summary: 'Salvar como contatos os cartões de um vCard',
        errors: ['ERR_CONTACT_LIMIT'],
      },
      schema: { body: vcardBody, response: { 200: pageOf(z.object({ contact, isNew: z.boolean() })) } },
    },
    async ({ actor, body }) => ({ items: await saveCards(actor, body.vcard), hasMore: false, nextCursor: null }),
  )
  app.get(
    '/contacts/imports',
    {
      config: { can, summary: 'Listar as importações de contatos' },
      schema: { querystring: contactImportsQuery, response: { 200: pageOf(contactImport) } },
    },
    ({ actor, query }) => listImports(actor, query),
  )
  app.get(
    '/contacts/imports/:id',
    {
      config: { can, summary: 'Ler uma importação de contatos' },
      schema: { params, response: { 200: contactImport } },
    },
    ({ actor, params: { id } }) => getImport(actor, id),
  )
  app.get(
    '/contacts/imports/:id/rows',
    {
      config: { can, summary: 'Ver as linhas de uma importação e o que será delas' },
      schema: { params, querystring: importRowsQuery, response: { 200: importRowsPage } },
    },
    ({ actor, params: { id }, query }) => listImportRows(actor, id, query),
  )
  app.get(
    '/contacts/imports/:id/problems.csv',
    {
      config: { can, summary: 'Baixar as linhas com problema, com o motivo de cada uma', gives: 'text/csv' },
      schema: { params },
    },
    async ({ actor, params: { id } }, reply) =>
      reply.headers(csvHeaders('linhas-com-problema')).send(await problemFile(actor, id)),
  )
  app.post(
    '/contacts/imports/:id/check',
    {
      config: { can, summary: 'Conferir uma importação sem gravar nada', errors: ['ERR_CONFLICT'] },
      schema: { params, body: importCheckBody, response: { 202: contactImport } },
    },
    async ({ actor, params: { id }, body }, reply) => reply.status(202).send(await checkImport(actor, id, body)),
  )
  app.post(
    '/contacts/imports/:id/run',
    {
      config: { can, summary: 'Gravar uma importação conferida', errors: ['ERR_CONFLICT', 'ERR_CONTACT_LIMIT'] },
      schema: { params, response: { 202: contactImport } },
    },
    async ({ actor, params: { id } }, reply) => reply.status(202).send(await runImport(actor, id)),
  )
  app.post(
    '/contacts/imports/:id/undo',
    {
      config: { can, summary: 'Desfazer uma importação', errors: ['ERR_CONFLICT'] },
      schema: { params, response: { 202: contactImport } },
    },
    async ({ actor, params: { id } }, reply) => reply.status(202).send(await undoImport(actor, id)),
  )
  app.delete(
    '/contacts/imports/:id',
    {
      config: { can, summary: 'Descartar uma importação que não foi feita', errors: ['ERR_CONFLICT'] },
      schema: { params, response: { 204: z.void() } },
    },
    async ({ actor, params: { id } }, reply) => {
      await discardImport(actor, id)
      return reply.status(204).send()
    },
  )
}
