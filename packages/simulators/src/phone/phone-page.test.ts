import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { startMailSimulator } from '../mail.ts'
import { startTelegramSimulator, type TelegramSimulator } from '../telegram.ts'
import { startReceiver } from '../test-receiver.ts'
import { startWabaSimulator, type WabaSimulator } from '../waba.ts'
import { startZapiSimulator } from '../zapi.ts'
import { startPhonePage } from './phone-page.ts'

let whatsapp: WabaSimulator
let telegram: TelegramSimulator
let receiver: Awaited<ReturnType<typeof startReceiver>>
let page: Awaited<ReturnType<typeof startPhonePage>>

beforeEach(async () => {
  receiver = await startReceiver()
  whatsapp = await startWabaSimulator({
    appSecret: 'segredo',
    verifyToken: 'verifica',
    accessToken: 'token',
    wabaId: 'WABA1',
    phoneNumberId: 'PN1',
    displayPhoneNumber: '551130000000',
    webhookUrl: receiver.url,
  })
  telegram = await startTelegramSimulator({ botToken: '7:abc', botUsername: 'loja_bot' })
  page = await startPhonePage({
    simulators: { whatsapp, telegram },
    webchatPages: [{ label: 'Loja', url: 'http://x/' }],
  })
})
afterEach(async () => {
  await page.close()
  await whatsapp.close()
  await telegram.close()
  await receiver.close()
})

const post = (path: string, body: object) =>
  fetch(`${page.url}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('the phone of the business reads the code that waits, and says when none does', async () => {
  const account = { instanceId: 'INSTANCIA1', instanceToken: 'TOKEN1', clientToken: 'seguranca' }
  const zapi = await startZapiSimulator(account)
  const own = await startPhonePage({ simulators: { zapi } })
  const scan = () => fetch(`${own.url}/api/zapi/scan`, { method: 'POST' })
  expect((await scan()).status).toBe(422)
  zapi.rotate()
  expect((await scan()).status).toBe(200)
  expect(zapi.instance.connected).toBe(true)
  await own.close()
  await zapi.close()
})

test('the page needs nothing from outside', async () => {
  const html = await (await fetch(page.url)).text()
  expect(html).toContain('lang="pt-BR"')
  expect(html).toContain('new EventSource')
  expect(html).not.toMatch(/(src|href)="https?:/)
})

test('a customer made on the page writes, sends a file, and the business receives both', async () => {
  const { id } = z
    .object({ id: z.string() })
    .parse(await (await post('whatsapp/customers', { name: 'Ana', handle: '11 98888-7777' })).json())
  expect(id).toBe('5511988887777')
  await post(`whatsapp/${id}/actions`, { do: 'text', text: 'oi' })
  const bytes = new Uint8Array([1, 2, 3, 4])
  await fetch(`${page.url}/api/whatsapp/${id}/media?kind=document&filename=a.pdf`, {
    method: 'POST',
    headers: { 'content-type': 'application/pdf' },
    body: bytes,
  })
  expect(receiver.received).toHaveLength(2)
  const line = whatsapp.customer({ waId: id }).transcript[1]
  const url = `${page.url}/media/whatsapp/${id}/${encodeURIComponent(line?.id ?? '')}`
  expect(new Uint8Array(await (await fetch(url)).arrayBuffer())).toEqual(bytes)
  const middle = await fetch(url, { headers: { range: 'bytes=1-2' } })
  expect([middle.status, middle.headers.get('content-range')]).toEqual([206, 'bytes 1-2/4'])
})

test('the panel slows, repeats, reorders and breaks the provider', async () => {
  await post('telegram/behaviour', { latencyMs: 5, duplicate: true, reorder: true })
  await post('telegram/faults', { id: '403', times: 2 })
  expect(telegram.delivery).toMatchObject({ delayMs: 5, duplicate: 1, reorder: true })
  expect(telegram.faults).toMatchObject({ latencyMs: 5, pending: 2 })
  const refused = await fetch(`${telegram.url}/bot7:abc/sendMessage`, { method: 'POST' })
  expect(refused.status).toBe(403)
  await fetch(`${page.url}/api/telegram/faults`, { method: 'DELETE' })
  expect(telegram.faults.pending).toBe(0)
})

test('what happens is told live', async () => {
  const stop = new AbortController()
  const events = await fetch(`${page.url}/events`, { signal: stop.signal })
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async () => (await reader?.read())?.value ?? ''
  expect(await next()).toContain('"webchatPages":[{"label":"Loja"')
  const ana = whatsapp.customer({ name: 'Ana' })
  await ana.sendText('bom dia')
  expect(await next()).toContain('bom dia')
  stop.abort()
})

test('a customer writes a whole mail on the page, and what answers it is shown there and sent back', async () => {
  const mail = await startMailSimulator({ address: 'contato@loja.com.br', password: 'x' })
  const own = await startPhonePage({ simulators: { mail } })
  const ask = (path: string, body: object) =>
    fetch(`${own.url}/api/mail/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await ask('customers', { name: 'Rita', handle: 'rita@example.com' })
  const asked = {
    subject: 'Troca',
    cc: 'eva@example.com',
    text: 'Posso trocar?',
    html: '',
    file: 'both',
    kind: 'absent',
  }
  expect((await ask('rita@example.com/acts/write', { ...asked, folder: 'junk' })).status).toBe(200)
  const written = mail.junk.box.messages[0]?.raw.toString() ?? ''
  expect(written).toContain('Subject: Troca')
  expect(written).toContain('Cc: eva@example.com')
  expect(written).toContain('Auto-Submitted: auto-replied')
  expect(written.match(/Content-Disposition: attachment/g)).toHaveLength(2)
  await ask('rita@example.com/acts/bounce', { line: '<nossa@loja.com.br>' })
  expect(mail.mailbox.box.messages[0]?.raw.toString()).toContain('Message-ID: <nossa@loja.com.br>')
  expect((await ask('rita@example.com/acts/voar', {})).status).toBe(422)
  await own.close()
  await mail.close()
})

test('wrong input is refused with a reason', async () => {
  expect((await post('whatsapp/customers', { name: ' ' })).status).toBe(422)
  expect((await post('whatsapp/ninguem/actions', { do: 'read' })).status).toBe(404)
  expect((await post('fax/customers', { name: 'Ana' })).status).toBe(404)
})
