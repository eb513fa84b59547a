import { ticket, ticketLoads } from '@balcao/contract/conversations/tickets.ts'
import type { Routes } from '../../../kit/http.ts'
import { takeNextTicket } from './take-next.ts'
import { readLoads } from './workload.ts'

const write = { can: 'tickets.write' } as const
const read = { can: 'tickets.read' } as const

/** The next customer, and how much everybody has in hand. */
export const takeNextRoutes: Routes = (app) => {
  app.post(
    '/tickets/next',
    {
      config: { ...write, summary: 'Assumir o próximo atendimento', errors: ['ERR_NOBODY_WAITING'] },
      schema: { response: { 200: ticket } },
    },
    ({ actor }) => takeNextTicket(actor),
  )
  app.get(
    '/ticketsLoad',
    {
      config: { ...read, summary: 'Ler quantos atendimentos cada pessoa tem' },
      schema: { response: { 200: ticketLoads } },
    },
    ({ actor }) => readLoads(actor),
  )
}
