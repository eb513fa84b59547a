import { id, pageOf } from '@balcao/contract/common.ts'
import { contact, contactMerge, duplicateGroup, mergeBody, mergePreview } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { listMerges, mergeContacts, previewMerge, undoMerge } from './contact-merge.service.ts'
import { findDuplicates } from './duplicates.ts'

const params = z.object({ id })
const merges = { can: 'contacts.merge' } as const

export const contactMergeRoutes: Routes = (app) => {
  app.get(
    '/contacts/duplicates',
    {
      config: { ...merges, summary: 'Listar os contatos repetidos' },
      schema: { response: { 200: pageOf(duplicateGroup) } },
    },
    (req) => findDuplicates(req.actor),
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
