import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createTicket, createConnection, withTenant, schema } = kit
const { storeFile } = await import('../../core/media/media.service.ts')

const pictureOf = async ({ tenantId }: { tenantId: number }, userId: string, name = 'foto.txt') =>
  (await storeFile({ tenantId, userId, bytes: Buffer.from(`arquivo ${name}`), name })).id
const text = (body: string) => ({ kind: 'text', body })
const choices = (body: string, ...titles: string[]) => ({
  kind: 'choices',
  body,
  interactive: { kind: 'buttons', options: titles.map((title, at) => ({ id: `opcao-${at + 1}`, title })) },
})

test('parts are kept in their order with their files; who knows of no parts sees all words and the first file', async () => {
  const tenant = await seedTenant()
  const { admin } = tenant
  const mediaId = await pictureOf(tenant, admin.id)
  const parts = [
    text('Olá, {{name}}!'),
    { kind: 'file', body: 'O catálogo', mediaId },
    choices('Gostou?', 'Sim', 'Não'),
  ]
  const made = await as(admin).post('/fastreply', { key: 'Oferta', scope: 'everyone', parts })

  expect(made).toMatchObject({
    status: 201,
    body: {
      key: 'oferta',
      message: 'Olá, {{name}}!\n\nO catálogo\n\nGostou?',
      mediaId,
      media: { id: mediaId },
      isVoz: false,
      isActive: true,
      uses: { total: 0, lastAt: null },
      parts: [
        { kind: 'text' },
        { kind: 'file', media: { id: mediaId } },
        { kind: 'choices', interactive: { kind: 'buttons' } },
      ],
    },
  })
  // Sent back as it was read, nothing is lost.
  const again = await as(admin).put(`/fastreply/${made.body.id}`, made.body)
  expect(again.body.parts).toEqual(made.body.parts)
  // An older client changes the shortcut and sends the words along.
  const { message, mediaId: sameFile } = made.body
  const renamed = await as(admin).put(`/fastreply/${made.body.id}`, { key: 'promo', message, mediaId: sameFile })
  expect(renamed.body).toMatchObject({ key: 'promo', parts: made.body.parts })
  // What it changes is the whole of it.
  const rewritten = await as(admin).put(`/fastreply/${made.body.id}`, { message: 'Só isto', mediaId: null })
  expect(rewritten.body.parts).toMatchObject([{ kind: 'text', body: 'Só isto' }])
})

test('the older form makes one part, or two where the words are too long for a caption', async () => {
  const tenant = await seedTenant()
  const { agent } = tenant
  const mediaId = await pictureOf(tenant, agent.id)
  const post = async (body: object) => (await as(agent).post('/fastreply', { key: v7(), ...body })).body
  expect((await post({ message: 'Oi' })).parts).toMatchObject([{ kind: 'text', body: 'Oi' }])
  expect((await post({ message: 'Veja', mediaId })).parts).toMatchObject([{ kind: 'file', body: 'Veja', mediaId }])
  expect((await post({ message: 'a'.repeat(2_000), mediaId })).parts).toMatchObject([
    { kind: 'file', body: '', mediaId },
    { kind: 'text' },
  ])
  expect(await post({ message: '' })).toMatchObject({ error: 'ERR_VALIDATION', details: [{ path: 'message' }] })
  expect(await post({ message: 'x', mediaId: v7() })).toMatchObject({ details: [{ path: 'mediaId' }] })
})

test('what is wrong is said of the part it is wrong with', async () => {
  const tenant = await seedTenant()
  const { agent } = tenant
  const mediaId = await pictureOf(tenant, agent.id)
  const refused = async (...parts: object[]) => (await as(agent).post('/fastreply', { key: 'x', parts })).body.details
  expect(await refused(text('Oi'), text(' '))).toMatchObject([{ path: 'parts.1.body' }])
  expect(await refused({ kind: 'file', body: '' })).toMatchObject([{ path: 'parts.0.mediaId' }])
  expect(await refused({ kind: 'voice', mediaId })).toMatchObject([
    { path: 'parts.0.mediaId', message: 'Escolha um arquivo de áudio.' },
  ])
  expect(await refused(choices('Sim?', 'Sim', 'sim'))).toMatchObject([
    { path: 'parts.0.interactive', message: 'Escreva opções diferentes.' },
  ])
  expect(await refused(text('Olá, {{nmoe}}'))).toMatchObject([
    { path: 'parts.0.body', message: 'A variável {{nmoe}} não existe.' },
  ])
  expect(await refused(...Array.from({ length: 11 }, () => text('Oi')))).toMatchObject([{ path: 'parts' }])
})

test("another's file is not to be had by naming it", async () => {
  const tenant = await seedTenant()
  const secret = await pictureOf(tenant, tenant.admin.id)
  const taken = await as(tenant.agent).post('/fastreply', { key: 'x', parts: [{ kind: 'file', mediaId: secret }] })
  expect(taken).toMatchObject({ status: 422, body: { details: [{ path: 'parts.0.mediaId' }] } })
})

test('folders are of those who use them; what stood in one that goes stays', async () => {
  const { admin, agent } = await seedTenant()
  const folder = async (who: { token: string }, body: object) => (await as(who).post('/fastreply-folders', body)).body
  const sales = await folder(admin, { name: 'Vendas', scope: 'everyone' })
  const own = await folder(agent, { name: 'Minhas' })
  expect(await folder(agent, { name: 'De todos', scope: 'everyone' })).toMatchObject({ details: [{ path: 'scope' }] })
  expect(await folder(admin, { name: 'vendas', scope: 'everyone' })).toMatchObject({ error: 'ERR_DUPLICATED' })

  const made = await as(agent).post('/fastreply', { key: 'a', message: 'Oi', folderId: own.id })
  expect(made.body.folderId).toBe(own.id)
  const wrong = await as(agent).put(`/fastreply/${made.body.id}`, { folderId: sales.id })
  expect(wrong).toMatchObject({ status: 422, body: { details: [{ path: 'folderId' }] } })
  expect((await as(admin).get('/fastreply-folders')).body.items).toMatchObject([{ name: 'Vendas' }])

  const listed = async (folderId: string) => (await as(agent).get(`/fastreply?folderId=${folderId}`)).body.items.length
  expect([await listed(own.id), await listed('none'), await listed(sales.id)]).toEqual([1, 0, 0])
  expect((await as(agent).delete(`/fastreply-folders/${own.id}`)).status).toBe(204)
  expect([await listed('none'), (await as(agent).get(`/fastreply/${made.body.id}`)).body.folderId]).toEqual([1, null])
})

test('what is archived is kept and not offered', async () => {
  const { agent } = await seedTenant()
  const { body } = await as(agent).post('/fastreply', { key: 'a', message: 'Oi' })
  await as(agent).put(`/fastreply/${body.id}`, { isActive: false })
  expect((await as(agent).get('/fastreply?isActive=true')).body.items).toEqual([])
  expect((await as(agent).get('/fastreply?isActive=false')).body.items).toMatchObject([{ key: 'a', message: 'Oi' }])
  expect((await as(agent).put(`/fastreply/${body.id}`, { isActive: true })).body).toMatchObject({ isActive: true })
})

test('a use is counted with the message that was sent, once, and told by person', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  const { agent, admin } = tenant
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: agent.id })
  const { body: quick } = await as(admin).post('/fastreply', { key: 'oi', message: 'Olá', scope: 'everyone' })
  const send = (message: object) =>
    as(agent).post(`/messages/${ticketId}`, { body: 'Olá', quickMessageId: quick.id, ...message })
  const id = v7()
  expect([(await send({ id })).status, (await send({ id })).status]).toEqual([200, 200])
  expect((await send({ id: v7() })).status).toBe(200)
  expect((await send({ id: v7(), quickMessageId: v7() })).status).toBe(200) // deleted meanwhile

  const { body } = await as(admin).get(`/fastreply/${quick.id}/uses`)
  expect(body).toMatchObject({ total: 2, people: [{ userId: agent.id, count: 2 }] })
  expect((await as(admin).get('/fastreply')).body.items).toMatchObject([{ uses: { total: 2, lastAt: body.lastAt } }])
})

test("the catalogue's action sends all parts in order, each as the channel carries it", async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  const { agent } = tenant
  const connectionId = await createConnection(tenant)
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: agent.id, connectionId })
  const mediaId = await pictureOf(tenant, agent.id)
  const parts = [text('Olá, {{name}}!'), { kind: 'file', body: '', mediaId }, choices('Gostou?', 'Sim', 'Não')]
  const { body: quick } = await as(agent).post('/fastreply', { key: 'tudo', parts })
  const { body: macro } = await as(agent).post('/macros', {
    name: 'Tudo',
    actions: [{ kind: 'sendQuick', quickMessageId: quick.id }],
  })
  const runId = v7()
  const run = () => as(agent).post(`/macros/${macro.id}/run`, { ticketId, runId })
  expect((await run()).body).toMatchObject({ done: 1, refused: null })
  await run() // the same run is one run

  const sent = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.messages).orderBy(schema.messages.seq),
  )
  expect(sent.map(({ type, body }) => [type, body])).toEqual([
    ['text', expect.stringContaining('Olá, João da Silva!')],
    ['document', ''],
    ['buttons', 'Gostou?'],
  ])
  expect((await as(agent).get(`/fastreply/${quick.id}/uses`)).body.total).toBe(1)
})

const wild = ['=1+1', "'=1+1", '-5 %', 'Preço; "R$ 9"', 'Linha 1\nLinha 2', '@todos', 'Ação 🎉', "it's", "''=x"]

test('what the export wrote is read back unchanged, and into another company as it was', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  const { admin } = tenant
  const queueId = tenant.queues.Vendas
  const mediaId = await pictureOf(tenant, admin.id)
  const folder = (await as(admin).post('/fastreply-folders', { name: 'Preços', scope: 'everyone' })).body
  const post = async (body: object) => expect((await as(admin).post('/fastreply', body)).status).toBe(201)
  for (const [at, words] of wild.entries())
    await post({
      key: `x${at}`,
      scope: 'everyone',
      folderId: folder.id,
      parts: [text(words), choices(words, 'Sim', 'Não')],
    })
  await post({ key: 'x0', scope: 'queue', queueId, message: 'Da fila', isActive: false })
  const list = {
    kind: 'list',
    button: 'Abrir',
    header: 'Menu',
    footer: 'Até já',
    options: [{ id: 'opcao-1', title: 'A', description: 'O primeiro' }],
  }
  await post({
    key: 'lista',
    parts: [
      { kind: 'choices', body: 'Qual?', interactive: list },
      { kind: 'file', mediaId },
    ],
  })

  const file = (await as(admin).get('/fastreply/export.csv')).body as string
  const load = async (csv: string, more = {}) => (await as(admin).post('/fastreply/import', { csv, ...more })).body
  const nothing = { created: 0, changed: 0, folders: [], refused: [] }
  expect(await load(file)).toEqual({ ...nothing, same: 11 })
  expect(await load(file.replaceAll('Preços', 'Valores'), { dryRun: true })).toMatchObject({
    changed: 9,
    folders: ['Valores'],
  })
  expect((await as(admin).get('/fastreply-folders')).body.items).toHaveLength(1)

  const other = await seedTenant({ queues: ['Vendas'] })
  const reply = await as(other.admin).post('/fastreply/import', { csv: file })
  expect(reply.body).toMatchObject({ created: 10, folders: ['Preços'], refused: [{ name: '/lista' }] })
  const shown = async (who: { token: string }) =>
    (
      (await as(who).get('/fastreply?limit=100')).body.items as {
        key: string
        scope: string
        parts: { body: string }[]
      }[]
    )
      .filter(({ key }) => key !== 'lista')
      .map(({ key, scope, parts }) => ({ key, scope, bodies: parts.map(({ body }) => body) }))
      .sort((a, b) => `${a.key}${a.scope}`.localeCompare(`${b.key}${b.scope}`))
  expect(await shown(other.admin)).toEqual(await shown(admin))
})

test('each line that makes no message says why; the others are taken', async () => {
  const { agent } = await seedTenant()
  const csv = [
    'mensagem,atalho,para quem,tipo,opções',
    'Olá,oi,,,',
    'Olá,oi,,,', // a second part of the same
    ',vazia,,,',
    'Oi,com espaço,,,',
    'Oi,todos,Todos,,',
    'Oi,fila,Fila,,',
    'Oi,quem,Ninguém,,',
    'Sim?,botoes,,Botões,"Sim\nsim"',
    'Oi,tipo,,Fax,',
    '',
  ].join('\n')
  const { body } = await as(agent).post('/fastreply/import', { csv })
  expect(body).toMatchObject({ created: 1, changed: 0, same: 0 })
  expect(body.refused.map(({ line, reason }: { line: number; reason: string }) => [line, reason])).toEqual([
    [4, 'Escreva a mensagem.'],
    [5, 'Use apenas letras, números, hífen e sublinhado.'],
    [6, 'Seu perfil só pode criar mensagens para uso próprio.'],
    [7, 'Seu perfil só pode criar mensagens para uso próprio.'],
    [8, '“Para quem” só pode ser Só para mim, Fila, Todos.'],
    [10, 'Escreva opções diferentes.'],
    [11, '“Tipo” só pode ser Texto, Arquivo, Áudio de voz, Botões, Lista.'],
  ])
  expect((await as(agent).get('/fastreply')).body.items).toMatchObject([{ key: 'oi', parts: [{}, {}] }])
  const wrong = async (text: string) => (await as(agent).post('/fastreply/import', { csv: text })).body
  expect(await wrong('Nome;Texto\na;b')).toMatchObject({ error: 'ERR_VALIDATION', details: [{ path: 'csv' }] })
  expect(await wrong('Atalho;Mensagem\n')).toMatchObject({ details: [{ path: 'csv' }] })
})

test('two that say the same become one: with the uses of both, and in the macros too', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  const { admin, agent } = tenant
  const make = async (key: string, scope = 'everyone') =>
    (await as(admin).post('/fastreply', { key, message: 'Olá', scope })).body.id as string
  const [kept, gone, own] = [await make('ola'), await make('oi'), await make('ola', 'mine')]
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: agent.id })
  for (const quickMessageId of [kept, gone])
    await as(agent).post(`/messages/${ticketId}`, { id: v7(), body: 'Olá', quickMessageId })
  const actions = [{ kind: 'sendQuick', quickMessageId: gone }]
  const macro = (await as(admin).post('/macros', { name: 'Saudar', scope: 'everyone', actions })).body
  const merge = (id: string, intoId: string, who: { token: string } = admin) =>
    as(who).post(`/fastreply/${id}/merge`, { intoId })

  expect((await merge(gone, own)).body).toMatchObject({ details: [{ path: 'intoId' }] })
  expect((await merge(gone, kept, agent)).status).toBe(403)
  expect((await merge(gone, kept)).status).toBe(204)
  expect((await merge(own, kept)).status).toBe(204)
  expect((await as(admin).get('/fastreply')).body.items).toMatchObject([{ key: 'ola', uses: { total: 2 } }])
  expect((await as(admin).get(`/macros/${macro.id}`)).body.actions).toEqual([
    { kind: 'sendQuick', quickMessageId: kept },
  ])
})

test('an older caller says who uses it by `isPublic`', async () => {
  const { admin, agent } = await seedTenant()
  const made = await as(admin).post('/fastreply', { key: 'pix', message: 'A chave é…', isPublic: true })
  expect(made).toMatchObject({ status: 201, body: { scope: 'everyone' } })
  expect((await as(agent).get('/fastreply')).body.items).toMatchObject([{ key: 'pix' }])
  const own = await as(admin).put(`/fastreply/${made.body.id}`, { isPublic: false })
  expect(own.body).toMatchObject({ scope: 'mine', userId: admin.id })
  expect(await as(agent).post('/fastreply', { key: 'oi', message: 'Oi', isPublic: true })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'scope' }] },
  })
})
