import { monitorEventLoopDelay } from 'node:perf_hooks'
import { eq } from 'drizzle-orm'
import { strFromU8, unzipSync } from 'fflate'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { breakLongWords } from './break-words.ts'
import { runsOf } from './fonts.ts'

const kit = await startTestApp()
const { app, as, withTenant, schema } = kit
const { storeFile } = await import('../../core/media/media.service.ts')

const hostile = '<script>alert(1)</script>\n[01/01/2026 10:00] Carla Dias: "=cmd|calc" \u202Etxt.exe'

const seedConversation = async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas'], settings: {} })
  const contactId = await kit.createContact(tenant, { name: 'João <b>Ação</b> 😀', number: '5511987654321' })
  const connectionId = await kit.createConnection(tenant, { kind: 'telegram', name: 'Loja' })
  const ticketId = await kit.createTicket(tenant, { contactId, connectionId, queue: 'Vendas', userId: tenant.agent.id })
  const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#0b7a75' } })
    .png()
    .toBuffer()
  const picture = await storeFile({ tenantId: tenant.tenantId, bytes, name: 'foto da "loja".png', contactId })
  const page = await storeFile({
    tenantId: tenant.tenantId,
    bytes: Buffer.from('<b>oi</b>'),
    name: 'página.html',
    contactId,
  })
  const at = new Date('2026-11-18T12:30:00Z')
  const row = { tenantId: tenant.tenantId, ticketId, contactId, connectionId, timestamp: at, createdAt: at }
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.messages).values([
      { ...row, fromMe: false, type: 'text', body: hostile, status: 'received' },
      {
        ...row,
        fromMe: true,
        type: 'text',
        body: `*${tenant.agent.name}*:\nBom dia 👩‍👩‍👧 🇧🇷`,
        status: 'read',
        userId: tenant.agent.id,
        isForwarded: true,
      },
      {
        ...row,
        fromMe: false,
        type: 'image',
        body: 'legenda',
        status: 'received',
        mediaId: picture.id,
        mediaState: 'ready',
      },
      { ...row, fromMe: false, type: 'document', body: '', status: 'received', mediaId: page.id, mediaState: 'ready' },
      {
        ...row,
        fromMe: true,
        type: 'text',
        body: 'segredo apagado',
        status: 'read',
        isDeleted: true,
        userId: tenant.agent.id,
      },
      { ...row, fromMe: true, type: 'note', body: 'só para a equipe', status: 'received', userId: tenant.admin.id },
      { ...row, fromMe: true, type: 'system', body: 'Carla Dias pausou: cliente difícil.', status: 'received' },
    ]),
  )
  return { ...tenant, ticketId }
}

const download = async (user: { token: string }, ticketId: string, query: string) => {
  const reply = await app.inject({
    url: `/api/exportMessages/${ticketId}?${query}`,
    headers: { authorization: `Bearer ${user.token}` },
  })
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload, text: reply.body }
}

test('as text: everybody by name and time, nothing that could be taken for another message, no notes unasked', async () => {
  const { agent, ticketId } = await seedConversation()

  const { status, headers, text } = await download(agent, ticketId, 'format=text')

  expect(status).toBe(200)
  expect(headers['content-disposition']).toMatch(/^attachment; filename="conversa-joao-b-acao-b-[a-z0-9-]+\.txt"$/)
  expect(text).toContain('Protocolo: ')
  expect(text).toContain('[18/11/2026 09:30] João <b>Ação</b> 😀: <script>')
  expect(text).toContain('\r\n    [01/01/2026 10:00] Carla Dias')
  expect(text).toContain(`${agent.name} (encaminhada): Bom dia`)
  expect(text).toContain('(apagada): Mensagem apagada')
  expect(text).toContain('[Arquivo: foto da _loja_.png')
  expect(text).not.toMatch(/segredo|equipe|difícil|\u202E/)
})

test('a poll: its question, each option with how many chose it, and who', async () => {
  const { agent, ticketId, tenantId } = await seedConversation()
  await withTenant(tenantId, async (tx) => {
    const [ticket] = await tx.db.select().from(schema.tickets).where(eq(schema.tickets.id, ticketId))
    if (!ticket) throw new Error('No conversation')
    const { connectionId, contactId } = ticket
    const at = new Date('2026-11-18T13:00:00Z')
    const options = ['Manhã', 'Tarde'].map((title, n) => ({ id: String(n), title }))
    const interactive = { kind: 'poll', options, most: 1 } as never
    const [poll] = await tx.db
      .insert(schema.messages)
      .values({
        ...{ tenantId, ticketId, contactId, connectionId, timestamp: at, createdAt: at, fromMe: true, type: 'poll' },
        ...{ body: 'Que hora?', status: 'read', userId: agent.id, payload: { interactive } },
      })
      .returning({ id: schema.messages.id })
    if (!poll) throw new Error('No poll')
    await tx.db.insert(schema.pollVotes).values([
      { tenantId, messageId: poll.id, fromMe: false, chosen: [1], votedAt: at },
      { tenantId, messageId: poll.id, fromMe: true, chosen: [1], votedAt: at },
    ])
  })

  const { text } = await download(agent, ticketId, 'format=text')
  const poll = text.slice(text.indexOf('Enquete: Que hora?'))
  expect(poll.split('\r\n').slice(1, 3)).toEqual(['    1. Manhã: 0 votos', '    2. Tarde: 2 votos (Cliente e Equipe)'])
})

test('notes come when they are asked for, by those who may read them', async () => {
  const { agent, ticketId, tenantId } = await seedConversation()
  const blind = await kit.createUser(tenantId, { profile: 'admin', menuPermissions: { notas: false } })

  const { text } = await download(agent, ticketId, 'format=text&includeNotes=true')
  expect(text).toContain('Carla Dias (nota interna): só para a equipe')
  expect(text).toContain('Carla Dias pausou: cliente difícil.')
  expect(await download(blind, ticketId, 'format=text&includeNotes=true')).toMatchObject({ status: 403 })
})

test('as HTML: a zip with the page, everything escaped, and the files beside it', async () => {
  const { agent, ticketId } = await seedConversation()

  const { headers, bytes } = await download(agent, ticketId, 'format=html')

  expect(headers['content-type']).toBe('application/zip')
  const files = unzipSync(bytes)
  expect(Object.keys(files)).toEqual([
    'conversa.html',
    'arquivos/0001-foto da _loja_.png',
    'arquivos/0002-página.html.txt',
  ])
  const html = strFromU8(files['conversa.html'] ?? new Uint8Array())
  expect(html).toContain('&lt;script&gt;')
  expect(html).toContain('<bdi>João &lt;b&gt;Ação&lt;/b&gt; 😀</bdi>')
  expect(html).toContain('<img src="arquivos/0001-foto%20da%20_loja_.png"')
  expect(html).not.toMatch(/<script|segredo|só para a equipe|\u202E/)
  expect((await sharp(files['arquivos/0001-foto da _loja_.png']).metadata()).width).toBe(300)
})

test('as PDF: with the picture in it and fonts of its own for accents and emoji', async () => {
  const { agent, ticketId } = await seedConversation()

  const { status, headers, bytes } = await download(agent, ticketId, 'format=pdf&includeNotes=true')

  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/pdf')
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.toString('latin1')).toMatch(/\/Subtype \/Image/)
  expect(bytes.toString('latin1')).toContain('DejaVuSans')
  expect(bytes.toString('latin1')).toContain('NotoEmoji')
})

test('as PDF: words without end neither take the memory nor hold up anybody else', { timeout: 170_000 }, async () => {
  const { agent, ticketId, tenantId } = await seedConversation()
  await withTenant(tenantId, (tx) =>
    tx.rows(
      {
        name: '',
        text: `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, timestamp)
          select $1, uuidv7(), t.id, t.contact_id, t.connection_id, false, 'text',
            left((select string_agg(md5(n || '-' || part), '') from generate_series(1, 125) part), 4000), 'received', now()
          from tickets t, generate_series(1, 120) n where t.tenant_id = $1 and t.id = $2`,
      },
      [tenantId, ticketId],
    ),
  )
  const pauses = monitorEventLoopDelay({ resolution: 5 })
  const before = process.memoryUsage().rss
  pauses.enable()
  const { status, bytes } = await download(agent, ticketId, 'format=pdf')
  pauses.disable()

  expect(status).toBe(200)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.length).toBeGreaterThan(120 * 2_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(150e6)
  expect(pauses.percentile(99) / 1e6).toBeLessThan(100)
})

test('a word wider than a page is cut where the line ends, what belongs together staying whole', () => {
  const room = { width: 100, widthOf: () => 2 }
  const lines = (text: string) => breakLongWords(text, room).map((line) => line.text)
  expect(lines(`Oi ${'a'.repeat(120)} fim\nOlá`)).toEqual([
    `Oi ${'a'.repeat(50)}`,
    'a'.repeat(50),
    `${'a'.repeat(20)} fim`,
    'Olá',
  ])
  expect(lines('👩‍👩‍👧'.repeat(60)).join('')).toBe('👩‍👩‍👧'.repeat(60))
  for (const line of lines('👩‍👩‍👧'.repeat(60))) expect(line).toMatch(/^(👩‍👩‍👧)+$/u)
  expect(lines(`a${'\u0301'.repeat(4_000)}`).every((line) => line.length <= 300)).toBe(true)
})

test('a conversation one may not see is not there, and one too large for the format says what to do', async () => {
  const { tenantId, agent, ticketId, queues } = await seedConversation()
  const stranger = await kit.createUser(tenantId)
  expect(Object.keys(queues)).toHaveLength(1)
  expect(await download(stranger, ticketId, 'format=text')).toMatchObject({ status: 404 })

  await withTenant(tenantId, (tx) =>
    tx.rows(
      {
        name: '',
        text: `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, timestamp)
          select $1, uuidv7(), t.id, t.contact_id, t.connection_id, false, 'text', 'x', 'received', now() from tickets t, generate_series(1, 20000) where t.tenant_id = $1 and t.id = $2`,
      },
      [tenantId, ticketId],
    ),
  )
  const refused = await as(agent).get(`/exportMessages/${ticketId}?format=pdf`)
  expect(refused).toMatchObject({ status: 413, body: { error: 'ERR_TOO_LARGE' } })
  expect(refused.body.message).toBe(
    'Esta conversa tem 20.007 mensagens, e o limite é 20.000. Exporte em HTML ou em texto.',
  )
})

test('a text is cut where its fonts change, sequences staying whole', () => {
  expect(runsOf('Olá').map(({ text }) => text)).toEqual(['Olá'])
  expect(runsOf('Oi 😀👍 fim').map(({ font, text }) => [font !== null, text])).toEqual([
    [false, 'Oi '],
    [true, '😀👍'],
    [false, ' fim'],
  ])
  expect(runsOf('1 2').every(({ font }) => font === null)).toBe(true)
})
