import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { seedTenant, createConnection, as, withTenant, schema } = await startTestApp()
const { ingest, settleInbound } = await import('./inbound.service.ts')

const seed = async (settings: Record<string, unknown> = {}, options: Record<string, unknown> = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas'], settings })
  const connectionId = await createConnection(tenant, {
    kind: 'telegram',
    config: { botToken: '7000000001:AAtoken-de-teste-0123456789' },
  })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ options }).where(eq(schema.connections.id, connectionId)),
  )
  let count = 0
  const hear = async (body: string, isGroup = false) => {
    count += 1
    await ingest(tenant.tenantId, connectionId, [
      {
        kind: 'message',
        providerId: `${tenant.tenantId}-${count}`,
        from: { identities: [{ kind: 'telegram', value: isGroup ? '-100' : '55' }], name: 'Maria Lima', isGroup },
        fromMe: false,
        timestamp: new Date(),
        content: { type: 'text', body },
      },
    ])
    await settleInbound()
    const said = await withTenant(tenant.tenantId, (tx) =>
      tx.db.select().from(schema.messages).orderBy(schema.messages.seq),
    )
    return said.map((one) => one.body)
  }
  return { tenant, hear }
}
const words = {
  stopWords: ['Chega'],
  startWords: ['Voltei'],
  stopAnswer: 'Pronto, {{firstName}}.',
  startAnswer: 'Que bom!',
}
const [noted, notedBack] = [
  'O cliente pediu para não receber mais campanhas nem pesquisas.',
  'O cliente voltou a aceitar campanhas e pesquisas.',
]

test('the company’s word is heard whatever its case, accents and signs, and answered once', async () => {
  const { tenant, hear } = await seed(words)
  expect(await hear('CHEGA!!')).toEqual(['CHEGA!!', noted, 'Pronto, Maria.'])
  expect(await hear('chega')).toHaveLength(4)
  expect((await as(tenant.agent).get('/optouts')).body.items).toMatchObject([
    {
      contact: { name: 'Maria Lima' },
      channel: 'telegram',
      purposes: ['marketing', 'research'],
      source: 'word',
      proof: 'CHEGA!!',
    },
  ])
  expect((await hear('Voltei')).slice(-2)).toEqual([notedBack, 'Que bom!'])
  expect((await as(tenant.agent).get('/optouts')).body.items).toEqual([])
  const told = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'optOuts.changed')),
  )
  expect(told).toHaveLength(2)
  // Asked for anew, it is answered anew.
  expect((await hear('chega')).slice(-1)).toEqual(['Pronto, Maria.'])
})

test('nothing is said where the company left its answer out, nor in a group, nor to a word of others', async () => {
  const { hear } = await seed({ ...words, stopAnswer: '' })
  expect(await hear('SAIR')).toEqual(['SAIR'])
  expect(await hear('chega', true)).toEqual(['SAIR', 'chega'])
  expect((await hear('Chega')).slice(-1)).toEqual([noted])
})

test('who only leaves is not welcomed', async () => {
  const { hear } = await seed({}, { greeting: 'Olá!' })
  const said = await hear('SAIR')
  expect(said).toHaveLength(3)
  expect(said).not.toContain('Olá!')
})

test('one word cannot mean both; the company always has a word to leave by; answers name what there is', async () => {
  const { tenant } = await seed()
  const me = as(tenant.admin)
  const refused = async (patch: object) => (await me.put('/settings', patch)).body.details?.[0]?.path
  expect(await refused({ startWords: ['sair!'] })).toBe('startWords')
  expect(await refused({ stopWords: ['START'] })).toBe('stopWords')
  expect(await refused({ stopWords: [] })).toBe('stopWords')
  expect(await refused({ stopWords: ['👍'] })).toBe('stopWords.0')
  expect(await refused({ stopAnswer: 'Olá, {{nada}}' })).toBe('stopAnswer')
  expect((await me.put('/settings', { stopWords: ['Chega'], startWords: ['Voltei'] })).status).toBe(200)
})
