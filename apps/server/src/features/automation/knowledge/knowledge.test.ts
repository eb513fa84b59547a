import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { zipSync } from 'fflate'
import PDFDocument from 'pdfkit'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { chunksOf, sectionsOfText } from './chunks.ts'
import { sectionsOfHtml } from './html-text.ts'

const { as, seedTenant, withTenant, schema } = await startTestApp()
const { readDueSources } = await import('./reader.loop.ts')
const { storeFile } = await import('../../core/media/media.service.ts')

let page =
  '<html><head><title>Trocas &amp; devoluções</title><script>alert(1)</script></head><body><nav>Menu</nav><h1>Trocas</h1><p>Você pode trocar em até 30 dias.</p></body></html>'
const site = createServer((request, response) => {
  if (request.url?.startsWith('/moved')) {
    const location = { '/moved': '/', '/moved-in': 'http://10.0.0.5/', '/moved-on': '/moved-on' }[request.url]
    response.writeHead(301, { location }).end()
    return
  }
  if (request.url === '/gone') {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
afterAll(() => void site.close())

const readAll = async () => {
  while ((await readDueSources()).did) {}
}
const company = async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const base = (await me.post('/knowledge-bases', { name: 'Loja' })).body
  const path = `/knowledge-bases/${base.id}/sources`
  const add = async (body: object) => {
    const made = await me.post(path, body)
    expect(made).toMatchObject({ status: 201, body: { state: 'waiting' } })
    return made.body.id as string
  }
  const file = async (name: string, bytes: Uint8Array) =>
    add({ kind: 'file', mediaId: (await storeFile({ tenantId: tenant.tenantId, name, bytes, isOurs: true })).id })
  const source = async (id: string) => (await me.get(path)).body.items.find((one: { id: string }) => one.id === id)
  const find = async (q: string) => (await me.get(`/knowledge-search?q=${encodeURIComponent(q)}`)).body.items
  return { ...tenant, me, base, add, file, source, find }
}

const pdf = (text: string) =>
  new Promise<Buffer>((resolve) => {
    const document = new PDFDocument()
    const chunks: Buffer[] = []
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.text(text)
    document.end()
  })
const bytesOf = (text: string) => new TextEncoder().encode(text)
const docx = (body: string) =>
  zipSync({
    '[Content_Types].xml': bytesOf(
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    'word/document.xml': bytesOf(
      `<?xml version="1.0"?><w:document xmlns:w="http://x"><w:body>${body}</w:body></w:document>`,
    ),
  })

test('passages keep whole paragraphs under their heading, and an endless word is cut', () => {
  const chunks = chunksOf(sectionsOfText(`# Frete\nGrátis acima de R$ 200.\n\n# Prazo\n${'a'.repeat(5_000)}`))
  expect(chunks[0]).toEqual({ heading: 'Frete', body: 'Grátis acima de R$ 200.' })
  expect(Math.max(...chunks.map(({ body }) => body.length))).toBeLessThanOrEqual(1_400)
})

test('of a page what a reader sees is kept, by its headings', () => {
  expect(sectionsOfHtml(page)).toEqual({
    title: 'Trocas & devoluções',
    sections: [{ heading: 'Trocas', body: expect.stringContaining('Você pode trocar em até 30 dias.') }],
  })
})

test('texts, files, pages and quick messages become passages that are found by words, stems and slips', async () => {
  const shop = await company()
  const quick = { key: 'pix', message: 'Olá, {{primeiro_nome}}! Nossa chave Pix é o CNPJ.', scope: 'everyone' }
  expect((await shop.me.post('/fastreply', quick)).status).toBe(201)
  const ids = [
    await shop.add({
      kind: 'text',
      name: 'Entrega',
      body: '# Entrega\nEntregamos em todo o Brasil em até 7 dias úteis.',
    }),
    await shop.file('garantia.pdf', await pdf('A garantia dos celulares dura doze meses.')),
    await shop.file(
      'manual.docx',
      docx(
        '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Bateria</w:t></w:r></w:p><w:p><w:r><w:t>Carregue a bateria por oito horas.</w:t></w:r></w:p>',
      ),
    ),
    await shop.add({ kind: 'page', url: siteUrl }),
    await shop.add({ kind: 'quick' }),
  ]
  await readAll()
  for (const id of ids) expect(await shop.source(id)).toMatchObject({ state: 'ready', problem: null })
  expect((await shop.find('quanto tempo demora a entrega?'))[0]).toMatchObject({
    source: 'Entrega',
    heading: 'Entrega',
  })
  expect((await shop.find('qual a garantia do celular'))[0]).toMatchObject({ source: 'garantia.pdf' })
  expect((await shop.find('quantas horas carregando a batteria'))[0]).toMatchObject({ heading: 'Bateria' })
  expect((await shop.find('posso trocar o produto?'))[0]).toMatchObject({ source: 'Trocas & devoluções' })
  expect((await shop.find('chave pix'))[0]).toMatchObject({ heading: 'pix', body: 'Olá! Nossa chave Pix é o CNPJ.' })
  expect(await shop.find('vocês vendem passagens aéreas para Lisboa?')).toEqual([])
  expect((await shop.me.get(`/knowledge-bases/${shop.base.id}`)).body).toMatchObject({ sources: 5, failed: 0 })

  page = page.replace('30 dias', '45 dias')
  expect((await shop.me.post(`/knowledge-sources/${ids[3]}/refresh`)).status).toBe(200)
  await readAll()
  expect((await shop.find('posso trocar o produto?'))[0].body).toContain('45 dias')
  const other = await company()
  expect(await other.find('garantia do celular')).toEqual([])
})

test('what cannot be read says why, and hurts nobody', async () => {
  const shop = await company()
  const bomb = zipSync({ 'word/document.xml': new Uint8Array(120 * 1024 * 1024) }, { level: 9 })
  const [bombId, brokenId, lockedId, goneId] = [
    await shop.file('bomba.docx', bomb),
    await shop.file('quebrado.pdf', bytesOf('%PDF-1.7 nada')),
    await shop.file('vazio.txt', bytesOf('   ')),
    await shop.add({ kind: 'page', url: `${siteUrl}/gone` }),
  ]
  await readAll()
  for (const id of [bombId, brokenId, lockedId, goneId])
    expect(await shop.source(id)).toMatchObject({ state: 'failed', problem: expect.any(String), chunks: 0 })
  expect((await shop.source(goneId)).problem).toBe('A página não existe mais.')
  const inner = await shop.me.post(`/knowledge-bases/${shop.base.id}/sources`, {
    kind: 'page',
    url: 'http://169.254.169.254/',
  })
  expect(inner.status).toBe(422)
}, 60_000)

test('a question nothing answers is kept, counted, and answered into a base', async () => {
  const shop = await company()
  const { noteGap } = await import('./note-gap.ts')
  const [assistantId, ticketId] = [null, null]
  for (const question of ['Vocês aceitam vale-refeição?', 'voces aceitam vale refeição'])
    await withTenant(shop.tenantId, (tx) => noteGap(tx, { assistantId, ticketId, question }))
  const [gap] = (await shop.me.get('/knowledge-gaps')).body.items
  expect(gap).toMatchObject({ times: 2, state: 'open' })
  const answer = { baseId: shop.base.id, body: 'Sim, aceitamos vale-refeição no balcão.' }
  expect(await shop.me.put(`/knowledge-gaps/${gap.id}`, { state: 'answered', answer })).toMatchObject({ status: 200 })
  await readAll()
  expect((await shop.find('aceitam vale refeição?'))[0].body).toBe('Sim, aceitamos vale-refeição no balcão.')
  expect((await shop.me.get('/knowledge-gaps')).body.items).toEqual([])
  expect((await as((await company()).admin).put(`/knowledge-gaps/${gap.id}`, { state: 'ignored' })).status).toBe(404)
  expect(await shop.me.get(`/knowledge-bases/${v7()}/sources`)).toMatchObject({ status: 404 })
  expect(schema.knowledgeGaps).toBeDefined()
})

test('a page that has moved is read where it is now, and nowhere a page may not be', async () => {
  const shop = await company()
  const read = async (path: string) => {
    const id = await shop.add({ kind: 'page', url: `${siteUrl}${path}` })
    await readAll()
    return shop.source(id)
  }
  expect(await read('/moved')).toMatchObject({ state: 'ready', name: sectionsOfHtml(page).title, chunks: 1 })
  expect(await read('/moved-in')).toMatchObject({ state: 'failed', problem: expect.stringContaining('10.0.0.5') })
  expect(await read('/moved-on')).toMatchObject({ state: 'failed', problem: expect.stringContaining('/moved-on') })
})
