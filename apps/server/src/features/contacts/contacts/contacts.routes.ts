import { id, pageOf } from '@balcao/contract/common.ts'
import {
  type ContactBody,
  contact,
  contactBody,
  contactCreate,
  contactsExport,
  contactsQuery,
} from '@balcao/contract/contacts/contacts.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { patchOf } from '../../../kit/crud-fields.ts'
import { csvHeaders } from '../../../kit/csv.ts'
import type { Routes } from '../../../kit/http.ts'
import { auditOfExport, exportContacts } from './contacts.export.ts'
import { enqueueExport } from './contacts.export-job.ts'
import {
  createContact,
  deleteContact,
  findContactsByNumber,
  getContact,
  listContacts,
  revealDocument,
  updateContact,
} from './contacts.service.ts'

const params = z.object({ id })

export const contactRoutes: Routes = (app) => {
  const read = { can: 'contacts.read' } as const
  const write = { can: 'contacts.write' } as const

  app.get(
    '/contacts',
    {
      config: { ...read, summary: 'Listar os contatos', errors: ['ERR_BUSY', 'ERR_TOO_SLOW'] },
      schema: { querystring: contactsQuery, response: { 200: pageOf(contact) } },
    },
    (req) => listContacts(req.actor, req.query),
  )
  app.get(
    '/contacts/export.csv',
    {
      config: { can: 'contacts.export', summary: 'Exportar os contatos em CSV', gives: 'text/csv' },
      schema: { querystring: contactsQuery },
    },
    async ({ actor, query }, reply) => {
      await withTenant(actor.tenantId, (tx) => writeAudit(tx, actor, auditOfExport(query)))
      return reply.headers(csvHeaders('contatos')).send(await exportContacts(actor, query))
    },
  )
  app.post(
    '/contacts/export',
    {
      config: { can: 'contacts.export', summary: 'Pedir a exportação dos contatos', errors: ['ERR_BUSY'] },
      schema: { body: contactsExport, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await enqueueExport(actor, body)),
  )
  app.get(
    '/contacts/:id',
    {
      config: { ...read, summary: 'Ler um contato', errors: ['ERR_NO_CONTACT_FOUND'] },
      schema: { params, response: { 200: contact } },
    },
    (req) => getContact(req.actor, req.params.id),
  )
  app.get(
    '/contacts/:id/document',
    {
      config: {
        can: 'contacts.documents',
        summary: 'Ler o CPF ou CNPJ de um contato',
        errors: ['ERR_NO_CONTACT_FOUND'],
      },
      schema: { params, response: { 200: z.object({ document: z.string().nullable() }) } },
    },
    (req) => revealDocument(req.actor, req.params.id),
  )
  app.get(
    '/contactsNumber/:n',
    {
      config: { ...read, summary: 'Encontrar um contato pelo número' },
      schema: { params: z.object({ n: z.string().max(40) }), response: { 200: pageOf(contact) } },
    },
    (req) => findContactsByNumber(req.actor, req.params.n),
  )
  app.post(
    '/contacts',
    {
      config: { ...write, summary: 'Criar um contato', errors: ['ERR_DUPLICATED_CONTACT'] },
      schema: { body: contactCreate, response: { 201: contact } },
    },
    async (req, reply) => reply.status(201).send(await createContact(req.actor, withDocument(req.body))),
  )
  app.put(
    '/contacts/:id',
    {
      config: {
        ...write,
        summary: 'Atualizar um contato',
        errors: ['ERR_CONFLICT', 'ERR_DUPLICATED_CONTACT', 'ERR_NO_CONTACT_FOUND'],
      },
      schema: { params, body: patchOf(contactBody), response: { 200: contact } },
    },
    (req) => updateContact(req.actor, req.params.id, withDocument(req.body)),
  )
  app.put(
    '/contact-tags/:id',
    {
      config: { ...write, summary: 'Trocar as etiquetas de um contato', errors: ['ERR_NO_CONTACT_FOUND'] },
      schema: { params, body: z.object({ tags: z.array(id).max(50) }), response: { 200: contact } },
    },
    (req) => updateContact(req.actor, req.params.id, { tagIds: req.body.tags }),
  )
  app.put(
    '/contact-wallet/:id',
    {
      config: { ...write, summary: 'Trocar as carteiras de um contato', errors: ['ERR_NO_CONTACT_FOUND'] },
      schema: { params, body: z.object({ wallets: z.array(id).max(50) }), response: { 200: contact } },
    },
    (req) => updateContact(req.actor, req.params.id, { walletIds: req.body.wallets }),
  )
  app.delete(
    '/contacts/:id',
    {
      config: {
        can: 'contacts.delete',
        summary: 'Excluir um contato',
        errors: ['ERR_CONTACT_TICKETS_REGISTERED', 'ERR_NO_CONTACT_FOUND'],
      },
      schema: { params, response: { 204: z.void() } },
    },
    async (req, reply) => {
      await deleteContact(req.actor, req.params.id)
      return reply.status(204).send()
    },
  )
}

const withDocument = <Body extends Partial<ContactBody>>({ cpf, ...body }: Body) =>
  cpf === undefined ? body : { ...body, document: cpf }
