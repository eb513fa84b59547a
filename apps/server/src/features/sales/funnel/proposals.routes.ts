import { id, pageOf } from '@balcao/contract/common.ts'
import {
  newProposal,
  opportunityFile,
  opportunityFileWrite,
  proposal,
  proposalAccept,
  proposalPage,
  proposalWrite,
} from '@balcao/contract/sales/proposals.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { addFile, listFiles, removeFile } from './opportunity-files.ts'
import {
  acceptProposal,
  createProposal,
  listProposals,
  readProposalPdf,
  readPublicPdf,
  readPublicProposal,
  revokeProposal,
} from './proposals.service.ts'

const params = z.object({ id })
const ofProposal = params.extend({ proposalId: id })
// Any text: a wrong address gets the same answer, whatever is wrong with it.
const publicParams = z.object({ token: z.string() })
const publicly = (max: number) => ({ public: true as const, rateLimit: { max, timeWindow: '1 minute' } })
/** Of one person and of this moment: kept by no cache, no search engine, and told to no other site. */
const privately = {
  onRequest: async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
  },
}
const pdfHeaders = (name: string) => ({
  'content-type': 'application/pdf',
  'content-disposition': `attachment; filename="${name}"`,
  // A file of ours is never a page of ours.
  'content-security-policy': "default-src 'none'; sandbox",
})
const whole = <Row>(items: Row[]) => ({ items, hasMore: false, nextCursor: null })

/** What is offered of an opportunity, and the files kept with it; the page on which a customer says yes. */
export const proposalRoutes: Routes = (app) => {
  app.get(
    '/opportunities/:id/proposals',
    {
      config: { can: 'funnel.read', summary: 'Listar as propostas de uma oportunidade' },
      schema: { params, response: { 200: pageOf(proposal) } },
    },
    async ({ actor, params: { id } }) => whole(await listProposals(actor, id)),
  )
  app.post(
    '/opportunities/:id/proposals',
    {
      config: { can: 'funnel.write', summary: 'Fazer uma proposta com os produtos da oportunidade' },
      schema: { params, body: proposalWrite, response: { 201: newProposal } },
    },
    async ({ actor, params: { id }, body }, reply) => reply.status(201).send(await createProposal(actor, id, body)),
  )
  app.delete(
    '/opportunities/:id/proposals/:proposalId',
    {
      config: { can: 'funnel.write', summary: 'Revogar uma proposta' },
      schema: { params: ofProposal, response: { 204: z.void() } },
    },
    async ({ actor, params: { id, proposalId } }, reply) => {
      await revokeProposal(actor, id, proposalId)
      return reply.status(204).send()
    },
  )
  app.get(
    '/opportunities/:id/proposals/:proposalId/pdf',
    {
      config: {
        ...{ can: 'funnel.read', summary: 'Baixar uma proposta em PDF' },
        ...{ errors: ['ERR_TOO_HEAVY'], gives: 'application/pdf' },
      },
      schema: { params: ofProposal },
    },
    async ({ actor, params: { id, proposalId } }, reply) => {
      const { pdf, name } = await readProposalPdf(actor, id, proposalId)
      return reply.headers(pdfHeaders(name)).send(pdf)
    },
  )
  app.get(
    '/opportunities/:id/files',
    {
      config: { can: 'funnel.read', summary: 'Listar os arquivos de uma oportunidade' },
      schema: { params, response: { 200: pageOf(opportunityFile) } },
    },
    async ({ actor, params: { id } }) => whole(await listFiles(actor, id)),
  )
  app.post(
    '/opportunities/:id/files',
    {
      config: { can: 'funnel.write', summary: 'Guardar um arquivo em uma oportunidade' },
      schema: { params, body: opportunityFileWrite, response: { 200: pageOf(opportunityFile) } },
    },
    async ({ actor, params: { id }, body }) => whole(await addFile(actor, id, body.mediaId)),
  )
  app.delete(
    '/opportunities/:id/files/:fileId',
    {
      config: { can: 'funnel.write', summary: 'Tirar um arquivo de uma oportunidade' },
      schema: { params: params.extend({ fileId: id }), response: { 200: pageOf(opportunityFile) } },
    },
    async ({ actor, params: { id, fileId } }) => whole(await removeFile(actor, id, fileId)),
  )
  app.get(
    '/proposal/:token',
    {
      ...privately,
      config: { ...publicly(60), summary: 'Ler uma proposta pelo link do cliente', errors: ['ERR_NOT_FOUND'] },
      schema: { params: publicParams, response: { 200: proposalPage } },
    },
    ({ params }) => readPublicProposal(params.token),
  )
  app.get(
    '/proposal/:token/pdf',
    {
      ...privately,
      config: {
        ...{ ...publicly(20), summary: 'Baixar uma proposta pelo link do cliente' },
        ...{ errors: ['ERR_NOT_FOUND', 'ERR_TOO_HEAVY'], gives: 'application/pdf' },
      },
      schema: { params: publicParams },
    },
    async ({ params }, reply) => {
      const { pdf, name } = await readPublicPdf(params.token)
      return reply.headers(pdfHeaders(name)).send(pdf)
    },
  )
  app.post(
    '/proposal/:token/accept',
    {
      ...privately,
      config: { ...publicly(20), summary: 'Aceitar uma proposta pelo link do cliente', errors: ['ERR_NOT_FOUND'] },
      schema: { params: publicParams, body: proposalAccept, response: { 200: proposalPage } },
    },
    ({ params, body, ip, headers }) =>
      acceptProposal(params.token, { name: body.name, ip, userAgent: headers['user-agent'] ?? '' }),
  )
}
