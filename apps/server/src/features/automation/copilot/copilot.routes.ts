import { Readable } from 'node:stream'
import { closingProposed, copilotAsked, copilotState } from '@balcao/contract/automation/copilot.ts'
import { id } from '@balcao/contract/common.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { askCopilot, proposeClosing, readCopilotState } from './copilot.service.ts'

const mostPerMinute = 40

export const copilotRoutes: Routes = (app) => {
  app.get(
    '/copilot',
    {
      config: { can: 'copilot.use', summary: 'Saber se o copiloto pode ser usado' },
      schema: { response: { 200: copilotState } },
    },
    ({ actor }) => readCopilotState(actor),
  )
  app.post(
    '/copilot',
    {
      config: {
        can: 'copilot.use',
        summary: 'Pedir um texto ao copiloto, linha por linha (JSON)',
        gives: 'application/x-ndjson',
        rateLimit: {
          max: mostPerMinute,
          timeWindow: '1 minute',
          keyGenerator: ({ actor }: FastifyRequest) => `copilot:${actor.userId}`,
        },
      },
      // What is written must arrive as it is written, not when there is enough to be packed.
      compress: false,
      schema: { body: copilotAsked },
    },
    (request, reply) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const lines = askCopilot(request.actor, request.body, gone.signal)
      const text = async function* () {
        for await (const line of lines) yield `${JSON.stringify(line)}\n`
      }
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(text()))
    },
  )
  app.post(
    '/copilot/closing/:ticketId',
    {
      config: {
        can: 'copilot.use',
        summary: 'Pedir ao copiloto o motivo e o resumo de um atendimento que termina',
        errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_MODEL', 'ERR_MODEL_FAILED', 'ERR_AI_BUDGET'],
      },
      schema: { params: z.object({ ticketId: id }), response: { 200: closingProposed } },
    },
    ({ actor, params }) => proposeClosing(actor, params.ticketId),
  )
}
