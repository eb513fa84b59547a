import { id } from '@balcao/contract/common.ts'
import { contact } from '@balcao/contract/contacts/contacts.ts'
import { groupCard, groupQuery, memberContact } from '@balcao/contract/conversations/groups.ts'
import { groupCall, groupMention, mentionBody, participantList } from '@balcao/contract/conversations/message-calls.ts'
import { groupSpeakers, message } from '@balcao/contract/conversations/messages.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { contactOfMember, getGroup } from './group.ts'
import { listParticipants, listSpeakers, mentionInGroup } from './mention-in-group.ts'

const reads = { can: 'messages.read' } as const
const writes = { can: 'messages.write' } as const

/** Who is in a group, and calling them by name. */
export const groupRoutes: Routes = (app) => {
  app.get(
    '/tickets/:id/group',
    {
      config: { ...reads, summary: 'Ver o grupo de um atendimento e quem está nele', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params: z.object({ id }), querystring: groupQuery, response: { 200: groupCard } },
    },
    (req) => getGroup(req.actor, req.params.id, req.query.fresh),
  )
  app.post(
    '/tickets/:id/group/contact',
    {
      config: {
        can: 'contacts.write',
        summary: 'Ter como contato alguém que está no grupo',
        errors: ['ERR_NO_TICKET_FOUND'],
      },
      schema: { params: z.object({ id }), body: memberContact, response: { 200: contact } },
    },
    (req) => contactOfMember(req.actor, req.params.id, req.body.memberId),
  )
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
    async (req) => ({
      participants: (await listParticipants(req.actor, req.body.ticketId)).map(({ id, name, role }) => ({
        id,
        name,
        isAdmin: role !== 'member',
      })),
    }),
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
