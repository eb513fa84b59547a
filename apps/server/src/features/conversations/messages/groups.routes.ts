import { id } from '@balcao/contract/common.ts'
import { groupCall, groupMention, mentionBody, participantList } from '@balcao/contract/conversations/message-calls.ts'
import { groupSpeakers, message } from '@balcao/contract/conversations/messages.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { listParticipants, listSpeakers, mentionInGroup } from './groups.ts'

const reads = { can: 'messages.read' } as const
const writes = { can: 'messages.write' } as const

/** Who is in a group, and calling them by name. */
export const groupRoutes: Routes = (app) => {
  app.get(
    '/messages/:ticketId/speakers',
    {
      config: { ...reads, summary: 'Listar quem falou em um grupo', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params: z.object({ ticketId: id }), response: { 200: groupSpeakers } },
    },
    (req) => listSpeakers(req.actor, req.params.ticketId),
  )
  app.post(
    '/messages/listParticipants',
    {
      config: { ...reads, summary: 'Listar os participantes de um grupo', errors: ['ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: groupCall, response: { 200: participantList } },
    },
    async (req) => ({ participants: await listParticipants(req.actor, req.body.ticketId) }),
  )
  app.post(
    '/messages/mentionMessage',
    {
      config: { ...writes, summary: 'Mencionar pessoas em um grupo', errors: ['ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: mentionBody, response: { 200: message } },
    },
    (req) => mentionInGroup(req.actor, req.body),
  )
  app.post(
    '/messages/mentionAllMessage',
    {
      config: { ...writes, summary: 'Mencionar todos em um grupo', errors: ['ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: groupMention, response: { 200: message } },
    },
    (req) => mentionInGroup(req.actor, { ...req.body, everybody: 'named' }),
  )
  app.post(
    '/messages/ghostMessage',
    {
      config: {
        ...writes,
        summary: 'Mencionar todos em um grupo sem mostrar os nomes',
        errors: ['ERR_CHANNEL_UNSUPPORTED'],
      },
      schema: { body: groupMention, response: { 200: message } },
    },
    (req) => mentionInGroup(req.actor, { ...req.body, everybody: 'ghost' }),
  )
}
