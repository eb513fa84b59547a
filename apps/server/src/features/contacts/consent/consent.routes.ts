import { id, pageOf } from '@balcao/contract/common.ts'
import { consentBody, consentEntry } from '@balcao/contract/contacts/consent.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { byUser } from '../../../kit/actor.ts'
import type { Routes } from '../../../kit/http.ts'
import { getContact } from '../contacts/contacts.service.ts'
import { identitiesOf, listConsents, recordConsent } from './consent.ts'

const params = z.object({ id })

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
        const said = { ...entry, proof: entry.proof.replaceAll('\0', ''), source: 'person' as const }
        await recordConsent(tx, { ...said, identities, purposes: [purpose], author: byUser(actor) })
        return listConsents(tx, id)
      })
      return reply.status(201).send({ items, hasMore: false, nextCursor: null })
    },
  )
}
