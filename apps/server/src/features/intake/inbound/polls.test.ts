import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import type { Chosen, InboundEvent, Speaker } from '../../../channels/adapter.ts'
import { pollOf } from '../../../channels/content.ts'

const { as, seedTenant, createConnection, withTenant, schema } = await startTestApp()
const { loadAdapter } = await import('../../../channels/index.ts')
const { ingest, settleInbound } = await import('./inbound.service.ts')
const { createSender } = await import('../../conversations/messages/sender.ts')

const evolution = await loadAdapter('evolution')
const original = evolution.send
const send = vi.fn<typeof evolution.send>(async () => ({ providerId: `out-${v7()}`, pollKey: `key-${v7()}` }))
evolution.send = send
afterAll(() => {
  evolution.send = original
})

const phone = (value: string): [Identity] => [{ kind: 'phone', value }]
const ana = { identities: phone('5511988887777'), name: 'Ana Souza' }
const group = { identities: [{ kind: 'group', value: '120363' }] as [Identity], name: 'Bairro', isGroup: true }
const bia: Speaker = { identities: phone('5511977776666'), name: 'Bia Lima' }
const caio: Speaker = { identities: phone('5511966665555'), name: 'Caio Reis' }

const seed = async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const config = { baseUrl: 'https://evolution.test', apiKey: 'chave-da-instancia', instanceName: 'loja' }
  const connectionId = await createConnection(tenant, { kind: 'evolution', config })
  const hear = async (...all: InboundEvent[]) => {
    for (const event of all) await ingest(tenant.tenantId, connectionId, [event])
    await settleInbound()
  }
  const tickets = () => withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
  const accept = async () => {
    const [ticket] = await tickets()
    await as(tenant.admin).put(`/tickets/${ticket?.id}`, { status: 'open', userId: tenant.admin.id })
    return ticket?.id ?? ''
  }
  const read = async (id: string): Promise<Message | undefined> => {
    const [ticket] = await tickets()
    const { body } = await as(tenant.admin).get(`/messages/${ticket?.id}`)
    return body.items.find((one: Message) => one.id === id || one.type === id)
  }
  const said = (from: typeof ana | typeof group, providerId: string, author?: Speaker): InboundEvent => ({
    kind: 'message',
    providerId,
    from,
    author,
    fromMe: false,
    timestamp: new Date(),
    content: pollOf('Que dia?', ['Sábado', 'Domingo', 'Nenhum'], 0) ?? { type: 'text', body: '' },
  })
  const vote = (
    providerId: string,
    chosen: Chosen[],
    second: number,
    voter?: Speaker,
    fromMe = false,
  ): InboundEvent => ({
    kind: 'vote',
    poll: { providerId },
    voter,
    fromMe,
    chosen,
    at: new Date(Date.UTC(2026, 10, 20, 12, 0, second)),
  })
  return { tenant, connectionId, hear, tickets, accept, read, said, vote }
}
const ask = (options: string[], more: object = {}) => ({
  id: v7(),
  type: 'poll',
  body: 'Que dia?',
  interactive: { kind: 'poll', options: options.map((title, at) => ({ id: String(at + 1), title })), ...more },
})

test('votes of a group are counted by who gave them: changed, told twice, late, taken back, and ours', async () => {
  const { hear, read, said, vote, tickets } = await seed()
  await hear(said(group, 'p1', bia))
  const [before] = await tickets()
  await hear(
    vote('p1', ['Sábado'], 1, bia),
    vote('p1', ['Sábado', 2], 2, caio),
    vote('p1', ['Domingo'], 4, bia),
    vote('p1', ['Domingo'], 4, bia),
    vote('p1', ['Nenhum'], 3, bia),
    vote('p1', ['Sábado', 'Inventada'], 5, undefined, true),
  )
  expect((await read('poll'))?.votes).toEqual({
    people: 3,
    options: [
      {
        option: 0,
        count: 2,
        who: [
          { fromMe: false, name: 'Caio Reis' },
          { fromMe: true, name: null },
        ],
      },
      { option: 1, count: 1, who: [{ fromMe: false, name: 'Bia Lima' }] },
      { option: 2, count: 1, who: [{ fromMe: false, name: 'Caio Reis' }] },
    ],
  })
  await hear(vote('p1', [], 6, bia), vote('p1', ['Domingo'], 5, bia))
  expect((await read('poll'))?.votes).toMatchObject({ people: 2, options: [{ option: 0 }, { option: 2 }] })
  // No message of its own, no conversation, no count.
  const [after] = await tickets()
  expect(after).toMatchObject({ unreadMessages: before?.unreadMessages, lastMessage: 'Bia Lima: Enquete: Que dia?' })
})

test('a vote that comes before its poll is given back to the journal, which tells it again', async () => {
  const { hear, read, said, vote } = await seed()
  const early = vote('p2', ['Domingo'], 1, bia)
  await expect(hear(early)).rejects.toThrow('A mensagem a que este aviso se refere não está aqui.')
  await hear(said(group, 'p2', caio), early)
  expect((await read('poll'))?.votes).toMatchObject({ people: 1, options: [{ option: 1, count: 1 }] })
})

test('a poll of ours is sent as one, and the customer who votes has answered: once', async () => {
  const { tenant, connectionId, hear, tickets, accept, read } = await seed()
  const hello = { kind: 'message', providerId: 'in-1', from: ana, fromMe: false, timestamp: new Date() } as const
  await hear({ ...hello, content: { type: 'text', body: 'oi' } })
  const ticketId = await accept()
  const sent = await as(tenant.admin).post(`/messages/${ticketId}`, ask(['Sábado', 'Domingo'], { selectable: 1 }))
  expect(sent).toMatchObject({ status: 200, body: { type: 'poll', body: 'Que dia?' } })
  const sender = createSender()
  await vi.waitFor(async () => {
    await sender.claim(() => {})
    expect((await read(sent.body.id))?.status).toBe('sent')
  })
  expect(send.mock.calls.at(-1)?.[0]).toMatchObject({ type: 'interactive', interactive: { kind: 'poll' } })
  await as(tenant.admin).post(`/messages/${ticketId}/read`)
  expect((await tickets())[0]).toMatchObject({ unreadMessages: 0, answered: true })

  const [row] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.messages).where(eq(schema.messages.id, sent.body.id)),
  )
  const key = row?.pollKey ?? ''
  for (const chosen of [[1], [0], []])
    await ingest(tenant.tenantId, connectionId, [{ kind: 'vote', poll: { key }, fromMe: false, chosen }])
  await settleInbound()
  expect((await read(sent.body.id))?.votes).toEqual({ people: 0, options: [] })
  expect((await tickets())[0]).toMatchObject({ unreadMessages: 1, answered: false, status: 'open' })

  // What is over stays over.
  await as(tenant.admin).put(`/tickets/${ticketId}`, { status: 'closed' })
  await hear({ kind: 'vote', poll: { key }, fromMe: false, chosen: [1] })
  expect(await tickets()).toMatchObject([{ status: 'closed' }])
  expect((await read(sent.body.id))?.votes).toMatchObject({ people: 1, options: [{ option: 1 }] })
})

test('a poll is within what its channel takes', async () => {
  const { tenant, hear, accept } = await seed()
  const hello = { kind: 'message', providerId: 'in-1', from: ana, fromMe: false, timestamp: new Date() } as const
  await hear({ ...hello, content: { type: 'text', body: 'oi' } })
  const ticketId = await accept()
  const post = async (body: object) => (await as(tenant.admin).post(`/messages/${ticketId}`, body)).status
  const many = Array.from({ length: 11 }, (_, at) => `Opção ${at}`)
  expect(await post(ask(many))).toBe(422)
  expect(await post(ask(['Só uma']))).toBe(422)
  expect(await post(ask(['Sim', 'sim']))).toBe(422)
  expect(await post({ ...ask(['Sim', 'Não']), body: 'a'.repeat(256) })).toBe(422)
  expect(await post({ ...ask(['Sim', 'Não']), type: 'buttons' })).toBe(422)
})
