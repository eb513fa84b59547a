import { id } from '@balcao/contract/common.ts'
import { draft } from '@balcao/contract/messages.ts'
import { z } from 'zod'
import type { Routes } from '../../kit/http.ts'
import { readDraft, saveDraft } from './drafts.service.ts'

const params = z.object({ id })

export const draftRoutes: Routes = (app) => {
  app.get(
    '/tickets/:id/draft',
    { config: { can: 'messages.write' }, schema: { params, response: { 200: draft } } },
    ({ actor, params: { id } }) => readDraft(actor, id),
  )
  app.put(
    '/tickets/:id/draft',
    {
      config: { can: 'messages.write' },
      schema: { params, body: draft.pick({ body: true }).strict(), response: { 200: draft } },
    },
    ({ actor, params: { id }, body }) => saveDraft(actor, id, body.body),
  )
}
