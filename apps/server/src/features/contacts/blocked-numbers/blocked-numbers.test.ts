import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createConnection, withTenant, schema } = await startTestApp()
const { ingest, settleInbound } = await import('../../intake/inbound/inbound.service.ts')

const company = async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  return { ...tenant, connectionId: await createConnection(tenant) }
}
type Company = Awaited<ReturnType<typeof company>>

const write = async ({ tenantId, connectionId }: Company, phone: string, fromMe = false) => {
  await ingest(tenantId, connectionId, [
    {
      kind: 'message',
      providerId: v7(),
      from: { identities: [{ kind: 'phone', value: phone }], name: 'Alguém' },
      fromMe,
      timestamp: new Date(),
      content: { type: 'text', body: 'Oi' },
    },
  ])
  await settleInbound()
}
const ticketsOf = ({ tenantId }: Company) => withTenant(tenantId, (tx) => tx.db.select().from(schema.tickets))

test('a blocked number opens no conversation, however it is written; the others do', async () => {
  const one = await company()
  const added = await as(one.admin).post('/blockedNumbers', { number: '(31) 98765-4321', reason: 'Golpe' })
  expect(added).toMatchObject({ status: 201, body: { number: '5531987654321', reason: 'Golpe' } })

  await write(one, '553187654321') // as providers name old accounts, without the ninth digit
  expect(await ticketsOf(one)).toEqual([])
  await write(one, '5531987650000')
  expect(await ticketsOf(one)).toHaveLength(1)
})

test('taken off the list, the number is attended again; another company never blocked it', async () => {
  const [one, other] = [await company(), await company()]
  const { body } = await as(one.admin).post('/blockedNumbers', { number: '+55 31 98765-4321' })

  await write(other, '5531987654321')
  expect(await ticketsOf(other)).toHaveLength(1)
  expect((await as(other.admin).delete(`/blockedNumbers/${body.id}`)).status).toBe(404)
  await as(one.admin).delete(`/blockedNumbers/${body.id}`)
  await write(one, '5531987654321')
  expect(await ticketsOf(one)).toHaveLength(1)
})

test('what the company itself writes to the number is kept', async () => {
  const one = await company()
  await as(one.admin).post('/blockedNumbers', { number: '31987654321' })

  await write(one, '5531987654321', true)

  expect(await ticketsOf(one)).toHaveLength(1)
})

test('what is no telephone, or is there already, is refused; agents do not block', async () => {
  const one = await company()
  await as(one.admin).post('/blockedNumbers', { number: '31987654321' })

  expect((await as(one.admin).post('/blockedNumbers', { number: '123' })).body.details).toEqual([
    { path: 'number', message: 'Confira o número: DDD e telefone.' },
  ])
  expect((await as(one.admin).post('/blockedNumbers', { number: '+553187654321' })).body.error).toBe('ERR_DUPLICATED')
  expect((await as(one.agent).post('/blockedNumbers', { number: '31987650000' })).status).toBe(403)
  expect(String((await as(one.admin).get('/blockedNumbers/export.csv')).body)).toContain('Número;Motivo;Criado em')
})
