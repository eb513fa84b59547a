import { id, pageOf } from '@balcao/contract/common.ts'
import {
  consentBody,
  consentEntry,
  giveBackBody,
  optOut,
  optOutsQuery,
  suppressionBody,
  suppressionList,
} from '@balcao/contract/contacts/consent.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { byUser } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { getContact } from '../contacts/contacts.service.ts'
import { identitiesOf, listConsents, recordConsent } from './consent.ts'
import { optOutsExport } from './opt-outs.export.ts'
import { giveBack, listOptOuts } from './opt-outs.ts'
import { bringSuppressions, listSuppressions, undoSuppressions } from './suppression.service.ts'

const params = z.object({ id })
const nobodyKnown = 'Nenhum canal conhece este contato. Cadastre o telefone dele antes.'

export const consentRoutes: Routes = (app) => {
  app.get(
    '/contacts/:id/consents',
    {
      config: {
        can: 'contacts.read',
        summary: 'Listar o que um contato aceita receber',
        errors: ['ERR_NO_CONTACT_FOUND'],
      },
      schema: { params, response: { 200: pageOf(consentEntry) } },
    },
    async ({ actor, params: { id } }) => {
      await getContact(actor, id)
      const items = await withTenant(actor.tenantId, (tx) => listConsents(tx, id))
      return { items, hasMore: false, nextCursor: null }
    },
  )
  app.post(
    '/contacts/:id/consents',
    {
      config: {
        can: 'contacts.write',
        summary: 'Anotar o que um contato aceita receber',
        errors: ['ERR_NO_CONTACT_FOUND'],
      },
      schema: { params, body: consentBody, response: { 201: pageOf(consentEntry) } },
    },
    async ({ actor, params: { id }, body: { purpose, ...entry } }, reply) => {
      await getContact(actor, id)
      const items = await withTenant(actor.tenantId, async (tx) => {
        const identities = await tx.rows<Identity>(identitiesOf, [tx.tenantId, id])
        if (!identities.length) throw fieldErrors({ path: 'channel', message: nobodyKnown })
        const said = { ...entry, proof: entry.proof.replaceAll('\0', ''), source: 'person' as const }
        await recordConsent(tx, { ...said, identities, purposes: [purpose], author: byUser(actor) })
        await writeAudit(tx, actor, {
          action: 'contact.consented',
          entity: 'contact',
          entityId: id,
          after: { channel: entry.channel, purpose, isGiven: entry.isGiven, proof: said.proof },
        })
        return listConsents(tx, id)
      })
      return reply.status(201).send({ items, hasMore: false, nextCursor: null })
    },
  )
  app.get(
    '/optouts',
    {
      config: { can: 'contacts.read', summary: 'Listar quem não quer receber', errors: ['ERR_BUSY', 'ERR_TOO_SLOW'] },
      schema: { querystring: optOutsQuery, response: { 200: pageOf(optOut) } },
    },
    ({ actor, query }) => listOptOuts(actor, query),
  )
  app.post(
    '/optouts/export',
    {
      config: { can: 'contacts.export', summary: 'Pedir a exportação de quem não quer receber', errors: ['ERR_BUSY'] },
      schema: { body: optOutsQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await optOutsExport.enqueue(actor, body)),
  )
  app.post(
    '/optouts/giveBack',
    {
      config: { can: 'contacts.write', summary: 'Anotar que voltam a aceitar', errors: ['ERR_NOT_FOUND'] },
      schema: { body: giveBackBody, response: { 204: z.void() } },
    },
    async ({ actor, body }, reply) => {
      await giveBack(actor, body)
      return reply.status(204).send()
    },
  )
  const lists = { can: 'contacts.consent' } as const
  app.get(
    '/optouts/lists',
    {
      config: { ...lists, summary: 'Listar as listas de descadastro importadas' },
      schema: { response: { 200: pageOf(suppressionList) } },
    },
    ({ actor }) => listSuppressions(actor),
  )
  app.post(
    '/optouts/lists',
    {
      config: { ...lists, summary: 'Importar uma lista de descadastro' },
      bodyLimit: 10 * 1024 * 1024,
      schema: { body: suppressionBody, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await bringSuppressions(actor, body)),
  )
  app.post(
    '/optouts/lists/:id/undo',
    {
      config: { ...lists, summary: 'Desfazer uma lista de descadastro', errors: ['ERR_NOT_FOUND'] },
      schema: { params, response: { 202: bulkJob } },
    },
    async ({ actor, params: { id } }, reply) => reply.status(202).send(await undoSuppressions(actor, id)),
  )
}
