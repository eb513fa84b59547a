import {
  ticketCallBody,
  vapiCallBody,
  voiceAccountQuery,
  voiceAccounts,
  voiceAssistants,
  voiceCall,
  voiceCalls,
  voiceCallsPage,
  voiceCallsQuery,
  voiceNumbers,
  wholeVoiceCall,
} from '@balcao/contract/automation/voice-calls.ts'
import { id, tenantId as ofTenant } from '@balcao/contract/common.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { v7 } from 'uuid'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { foldPhone } from '../../../kit/phone-numbers.ts'
import { getVisibleTicket, lockVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { askAccount, readVoiceAccounts, requireVoiceAccount } from './accounts.ts'
import { queueCall, queueTicketCall } from './place-call.ts'
import { voiceCallsCsv } from './voice-calls.export.ts'
import { listVoiceCalls, readVoiceCall } from './voice-calls.list.ts'
import { presentCall } from './voice-calls.present.ts'
import { callsOfTicket, findCall, ticketOfPhone } from './voice-calls.rows.ts'

const ofCompany = z.object({ tenantId: z.coerce.number().pipe(ofTenant) })
const ofTicket = z.object({ id })
const can = 'calls.write'
const none = 'ERR_NO_VOICE_ACCOUNT'

/** Calls by voice assistants (Vapi), under the names outside callers know and from a conversation. */
export const voiceCallRoutes: Routes = (app) => {
  app.get(
    '/voice-accounts',
    {
      config: { can, summary: 'Listar as contas que ligam com um assistente de voz' },
      schema: { response: { 200: voiceAccounts } },
    },
    async ({ actor }) => ({ items: await readVoiceAccounts(actor.tenantId) }),
  )
  app.get(
    '/voice-calls',
    {
      config: {
        can: 'calls.read',
        summary: 'Listar as ligações de assistentes de voz',
        errors: ['ERR_BUSY', 'ERR_TOO_SLOW'],
      },
      schema: { querystring: voiceCallsQuery, response: { 200: voiceCallsPage } },
    },
    ({ actor, query }) => listVoiceCalls(actor, query),
  )
  app.get(
    '/voice-calls/:id',
    {
      config: { can: 'calls.read', summary: 'Ler uma ligação, com gravação e transcrição', errors: ['ERR_NOT_FOUND'] },
      schema: { params: ofTicket, response: { 200: wholeVoiceCall } },
    },
    ({ actor, params }) => readVoiceCall(actor, params.id),
  )
  app.post(
    '/voice-calls/export',
    {
      config: { can: 'calls.read', summary: 'Pedir a exportação das ligações', errors: ['ERR_BUSY'] },
      schema: { body: voiceCallsQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await voiceCallsCsv.enqueue(actor, body)),
  )
  app.get(
    '/vapiAssistants/:tenantId',
    {
      config: { can, summary: 'Listar os assistentes de voz da conta Vapi', errors: [none, 'ERR_MODEL_FAILED'] },
      schema: { params: ofCompany, querystring: voiceAccountQuery, response: { 200: voiceAssistants } },
    },
    async ({ actor, params, query }) => {
      const account = await requireVoiceAccount(own(actor, params), query.integrationId)
      return { items: await askAccount(account, () => account.door.assistants(account.context)) }
    },
  )
  app.get(
    '/vapiPhoneNumbers/:tenantId',
    {
      config: { can, summary: 'Listar os números da conta Vapi', errors: [none, 'ERR_MODEL_FAILED'] },
      schema: { params: ofCompany, querystring: voiceAccountQuery, response: { 200: voiceNumbers } },
    },
    async ({ actor, params, query }) => {
      const account = await requireVoiceAccount(own(actor, params), query.integrationId)
      return { items: await askAccount(account, () => account.door.numbers(account.context)) }
    },
  )
  app.post(
    '/vapiCall/:tenantId',
    {
      config: { can, summary: 'Ligar para clientes com um assistente de voz', errors: [none] },
      schema: { params: ofCompany, body: vapiCallBody, response: { 201: voiceCalls } },
    },
    async ({ actor, params, body }, reply) => {
      const items = await callNumbers(actor, own(actor, params), body)
      return reply.status(201).send({ items })
    },
  )
  app.get(
    '/tickets/:id/voice-calls',
    {
      config: { can: 'tickets.read', summary: 'Listar as ligações de um atendimento', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params: ofTicket, response: { 200: voiceCalls } },
    },
    async ({ actor, params }) => {
      const directory = await getDirectory(actor.tenantId)
      return withTenant(actor.tenantId, async (tx) => {
        await getVisibleTicket(tx, actor, params.id)
        return { items: (await callsOfTicket(tx, params.id)).map((row) => presentCall(row, directory)) }
      })
    },
  )
  app.post(
    '/tickets/:id/voice-calls',
    {
      config: {
        can,
        summary: 'Ligar para o contato de um atendimento com um assistente de voz',
        errors: [none, 'ERR_NO_TICKET_FOUND', 'ERR_INVALID_TRANSITION'],
      },
      schema: { params: ofTicket, body: ticketCallBody, response: { 201: voiceCall } },
    },
    async ({ actor, params, body }, reply) => reply.status(201).send(await callTicket(actor, params.id, body)),
  )
}

const own = (actor: Actor, { tenantId }: z.output<typeof ofCompany>): number => {
  if (tenantId !== actor.tenantId) throw new AppError('ERR_NOT_FOUND')
  return tenantId
}

const callTicket = async (actor: Actor, ticketId: string, body: z.output<typeof ticketCallBody>) => {
  const { id: callId = v7(), integrationId, ...chosen } = body
  const [directory, account] = await Promise.all([
    getDirectory(actor.tenantId),
    requireVoiceAccount(actor.tenantId, integrationId),
  ])
  return withTenant(actor.tenantId, async (tx) => {
    const ticket = await lockVisibleTicket(tx, actor, ticketId)
    await queueTicketCall(
      tx,
      { id: callId, account, ...chosen },
      { ticket, author: byUser(actor), userId: actor.userId },
    )
    const row = await findCall(tx, callId)
    if (row?.ticketId !== ticketId) throw new AppError('ERR_NOT_FOUND')
    await audit(tx, actor, [row])
    return presentCall(row, directory)
  })
}

const callNumbers = async (actor: Actor, tenantId: number, body: z.output<typeof vapiCallBody>) => {
  const { customers, integrationId, ...chosen } = body
  const [directory, account] = await Promise.all([getDirectory(tenantId), requireVoiceAccount(tenantId, integrationId)])
  return withTenant(tenantId, async (tx) => {
    const ids: string[] = []
    for (const { number, name } of customers) {
      const [ticket] = await tx.rows<{ id: string }>(ticketOfPhone, [tenantId, foldPhone(number.slice(1))])
      const callId = v7()
      await queueCall(
        tx,
        { id: callId, account, ...chosen },
        { number, name, ticketId: ticket?.id ?? null, userId: actor.userId },
      )
      ids.push(callId)
    }
    const rows = (await Promise.all(ids.map((one) => findCall(tx, one)))).flatMap((row) => row ?? [])
    await audit(tx, actor, rows)
    return rows.map((row) => presentCall(row, directory))
  })
}

const audit = async (tx: Parameters<typeof writeAudit>[0], actor: Actor, rows: { id: string; number: string }[]) => {
  for (const { id: entityId, number } of rows)
    await writeAudit(tx, actor, { action: 'voiceCall.placed', entity: 'voiceCall', entityId, after: { number } })
}
