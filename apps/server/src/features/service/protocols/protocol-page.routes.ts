import {
  protocolPage,
  transcriptCheck,
  transcriptCheckQuery,
  transcriptQuery,
} from '@balcao/contract/service/protocols.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { checkTranscript, readPublicProtocol, readTranscript } from './public-protocol.ts'

// Any text: a wrong address gets the same answer, whatever is wrong with it.
const params = z.object({ token: z.string() })

const publicly = (max: number) => ({ public: true as const, rateLimit: { max, timeWindow: '1 minute' } })
/** Of one person and of this moment: kept by no cache, no search engine, and told to no other site. */
const privately = {
  onRequest: async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
  },
}

/** The page where a customer follows a protocol: whoever has its address may read it, nobody else. */
export const protocolPageRoutes: Routes = (app) => {
  app.get(
    '/protocol/:token',
    {
      ...privately,
      config: { ...publicly(60), summary: 'Ler um protocolo pelo link do cliente', errors: ['ERR_PROTOCOL_LINK'] },
      schema: { params, response: { 200: protocolPage } },
    },
    ({ params }) => readPublicProtocol(params.token),
  )
  app.get(
    '/protocol/:token/transcript',
    {
      ...privately,
      config: {
        ...publicly(20),
        summary: 'Baixar a conversa de um protocolo',
        errors: ['ERR_PROTOCOL_LINK'],
        gives: 'text/plain',
      },
      schema: { params, querystring: transcriptQuery },
    },
    async ({ params, query: { format } }, reply) => {
      const { content, sha256, protocol } = await readTranscript(params.token, format)
      const ending = format === 'html' ? 'html' : 'txt'
      return reply
        .type(format === 'html' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8')
        .headers({
          'content-disposition': `attachment; filename="protocolo-${protocol.replace(/\W/g, '')}.${ending}"`,
          // A file of ours is never a page of ours.
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'x-content-sha256': sha256,
        })
        .send(content)
    },
  )
  app.get(
    '/protocol/:token/verify',
    {
      ...privately,
      config: { ...publicly(30), summary: 'Conferir se uma transcrição é autêntica' },
      schema: { params, querystring: transcriptCheckQuery, response: { 200: transcriptCheck } },
    },
    ({ params, query }) => checkTranscript(params.token, query.sha256),
  )
}
