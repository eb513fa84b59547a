import { id, pageOf, queryList } from '@balcao/contract/common.ts'
import { contact, contactsQuery, contactsScan } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { listContacts } from './contacts.service.ts'
import { scanContacts } from './scan.ts'

/** Calls of older clients that ask the list of contacts by one thing. */
export const contactCallRoutes: Routes = (app) => {
  const config = (summary: string) => ({
    can: 'contacts.read' as const,
    summary,
    errors: ['ERR_BUSY' as const, 'ERR_TOO_SLOW' as const],
  })
  const response = { 200: pageOf(contact) }
  app.get(
    '/contactsByTags',
    {
      config: config('Listar os contatos que têm alguma destas etiquetas'),
      schema: { querystring: contactsQuery.omit({ tagIds: true }).extend({ tags: queryList(id) }), response },
    },
    ({ actor, query: { tags, ...query } }) => listContacts(actor, { ...query, tagIds: tags }),
  )
  app.get(
    '/contactsBySpecificTag',
    {
      config: config('Listar os contatos que têm uma etiqueta'),
      schema: { querystring: contactsQuery.omit({ tagIds: true }).extend({ tagId: id }), response },
    },
    ({ actor, query: { tagId, ...query } }) => listContacts(actor, { ...query, tagIds: [tagId] }),
  )
  app.get(
    '/contactsBySpecificKanban',
    {
      config: config('Listar os contatos de uma etapa do quadro'),
      schema: { querystring: contactsQuery.omit({ kanbanIds: true }).extend({ kanban: id }), response },
    },
    ({ actor, query: { kanban, ...query } }) => listContacts(actor, { ...query, kanbanIds: [kanban] }),
  )
  app.get(
    '/scanContacts',
    {
      config: { ...config('Contar o que falta ou está errado nos contatos'), can: 'contacts.import' },
      schema: { response: { 200: contactsScan.extend({ checkedAt: z.iso.datetime() }) } },
    },
    ({ actor }) => scanContacts(actor),
  )
}
