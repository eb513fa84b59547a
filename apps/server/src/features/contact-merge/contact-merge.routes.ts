import { id, pageOf } from '@balcao/contract/common.ts'
import { contact, contactMerge, duplicateGroup, mergeBody, mergePreview } from '@balcao/contract/contacts.ts'
import { z } from 'zod'
import type { Routes } from '../../kit/http.ts'
import { listMerges, mergeContacts, previewMerge, undoMerge } from './contact-merge.service.ts'
import { findDuplicates } from './duplicates.ts'

const params = z.object({ id })
const merges = { can: 'contacts.merge' } as const

export const contactMergeRoutes: Routes = (app) => {
  app.get('/contacts/duplicates', { config: merges, schema: { response: { 200: pageOf(duplicateGroup) } } }, (req) =>
    findDuplicates(req.actor),
  )
  app.get(
    '/contacts/:id/merge/:otherId',
    { config: merges, schema: { params: z.object({ id, otherId: id }), response: { 200: mergePreview } } },
    (req) => previewMerge(req.actor, req.params.id, req.params.otherId),
  )
  app.post(
    '/contacts/:id/merge',
    { config: merges, schema: { params, body: mergeBody, response: { 200: contact } } },
    (req) => mergeContacts(req.actor, req.params.id, req.body),
  )
  app.get(
    '/contacts/:id/merges',
    { config: { can: 'contacts.read' }, schema: { params, response: { 200: pageOf(contactMerge) } } },
    (req) => listMerges(req.actor, req.params.id),
  )
  app.post('/contact-merges/:id/undo', { config: merges, schema: { params, response: { 200: contact } } }, (req) =>
    undoMerge(req.actor, req.params.id),
  )
}
