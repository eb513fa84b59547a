import '../../test/kit.ts' // an environment of its own, before anything reads it
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { startProxySimulator } from '@balcao/simulators/proxy.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { certificate, certificateKey } from '../../test/certificate.ts'
import { createEgress, EgressError } from './egress.ts'
import { AppError } from './errors.ts'

const closed = createEgress({ allow: [] })
const open = createEgress({ allow: ['127.0.0.1'] })

let hits = 0
const serve = async (answer: RequestListener) => {
  const server = createServer((request, response) => {
    hits += 1
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo // listening on a port
  return { url: `http://127.0.0.1:${port}`, port, server }
}
const refused = expect.objectContaining({ code: 'ERR_EGRESS_REFUSED' })

test.each([
  'http://127.0.0.1:5432/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.0.0.1/',
  'http://172.16.5.4/',
  'http://192.168.1.1/',
  'http://100.100.100.200/',
  'http://169.254.169.254/latest/meta-data/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://localhost:5432/',
  'http://LOCALHOST./',
  'http://banco.localhost/',
  'http://ⓛocalhost/',
  'http://user:pass@example.com/',
  'http://example.com@127.0.0.1/',
  'http://127.0.0.1\\@example.com/',
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://example.com/',
  'javascript:alert(1)',
  'nada',
  '',
])('%s is refused at save and at send', async (url) => {
  expect(() => closed.check(url)).toThrow(refused)
  await expect(closed.http(url)).rejects.toMatchObject({ code: 'ERR_EGRESS_REFUSED' })
})

test.each([
  'https://graph.facebook.com',
  'http://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'https://n8n.loja.com.br:5678/',
])('%s may be saved', (url) => expect(closed.check(url).href).toContain('://'))

test('the refusal names the host and is a 422, not a fault of ours', async () => {
  const error: unknown = await closed.http('http://10.1.2.3/').catch((thrown) => thrown)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ status: 422, details: [{ path: 'url', message: 'Endereço não permitido: 10.1.2.3' }] })
})

test('a public name that leads to a private address is refused before anything is sent', async () => {
  const { port } = await serve((_request, response) => response.end('secret'))
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.8']) {
    const family = address.includes(':') ? 6 : 4
    const { http } = createEgress({ allow: [], resolve: (_host, _options, done) => done(null, [{ address, family }]) })
    const before = hits
    await expect(http(`http://rebind.example.com:${port}/`)).rejects.toMatchObject({ code: 'ERR_EGRESS_REFUSED' })
    expect(hits).toBe(before)
  }
})

test('a name is resolved once: its second answer is never asked for', async () => {
  let asked = 0
  const { http } = createEgress({
    allow: ['127.0.0.2'],
    resolve: (_host, _options, done) => done(null, [{ address: ['127.0.0.2'][asked++] ?? '127.0.0.1', family: 4 }]),
  })
  await expect(http('http://rebind.example.com:9/')).rejects.toMatchObject({ wasSent: false })
  expect(asked).toBe(1)
})

test('of a name with several addresses only the permitted ones are used', async () => {
  const { port } = await serve((_request, response) => response.end())
  const before = hits
  const found = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const { http } = createEgress({ allow: ['127.0.0.2'], resolve: (_host, _options, done) => done(null, found) })
  await expect(http(`http://misto.example.com:${port}/`)).rejects.toBeInstanceOf(EgressError)
  expect(hits).toBe(before)
})

test.each([
  ['an address', '127.0.0.1'],
  ['a range', '127.0.0.0/8'],
])('the owner may open %s', async (_what, entry) => {
  const { url } = await serve((_request, response) => response.end('ok'))
  const answer = await createEgress({ allow: [entry] }).http(url)
  expect(answer.bytes.toString()).toBe('ok')
})

test('the owner may open a host by name, and only that one', async () => {
  const { port } = await serve((_request, response) => response.end('ok'))
  const resolve = (
    _host: string,
    _options: object,
    done: (error: null, found: { address: string; family: number }[]) => void,
  ) => done(null, [{ address: '127.0.0.1', family: 4 }])
  const { http } = createEgress({ allow: ['Ollama.interno'], resolve })
  expect((await http(`http://OLLAMA.interno:${port}/`)).status).toBe(200)
  await expect(http(`http://outro.interno:${port}/`)).rejects.toMatchObject({ code: 'ERR_EGRESS_REFUSED' })
})

test('a redirect is an answer, not a way in', async () => {
  const inside = await serve((_request, response) => response.end('secret'))
  const { url } = await serve((_request, response) => response.writeHead(302, { location: inside.url }).end())
  const before = hits
  expect(await open.http(url)).toMatchObject({ status: 302, headers: { location: inside.url } })
  expect(hits).toBe(before + 1)
})

test('an endless answer is cut at the limit', async () => {
  const { url } = await serve((_request, response) => {
    const more = () =>
      response.destroyed || (response.write(Buffer.alloc(65_536)) ? setImmediate(more) : response.once('drain', more))
    more()
  })
  await expect(open.http(url, { maxBytes: 200_000 })).rejects.toMatchObject({
    message: 'answer too large',
    wasSent: true,
  })
})

test.each([
  ['never answers', () => {}],
  [
    'drips its answer',
    (_request: unknown, response: { write: (text: string) => void }) => {
      const timer = setInterval(() => response.write('.'), 50)
      timer.unref()
    },
  ],
])('a server that %s costs no more than the time-out, and may have acted', async (_what, answer) => {
  const { url } = await serve(answer)
  const start = Date.now()
  await expect(open.http(url, { timeoutMs: 250 })).rejects.toMatchObject({ wasSent: true })
  expect(Date.now() - start).toBeLessThan(1_500)
})

test('a closed port or an unknown name is known not to have been reached', async () => {
  const { url, server } = await serve(() => {})
  await new Promise((resolve) => server.close(resolve))
  await expect(open.http(url)).rejects.toMatchObject({ wasSent: false })

  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })
  const { http } = createEgress({ allow: [], resolve: (_host, _options, done) => done(unknown, []) })
  await expect(http('http://nao-existe.example.com/')).rejects.toMatchObject({ wasSent: false })
})

test('a connection cut after the request left is not known', async () => {
  const { url } = await serve((request) => void request.socket.destroy())
  await expect(open.http(url, { method: 'POST', body: '{}' })).rejects.toMatchObject({ wasSent: true })
})

const login = { user: 'loja', password: 'segredo' }
describe.each(['http', 'socks5'] as const)('by a proxy that speaks %s', async (protocol) => {
  const target = await serve((request, response) => response.end(`${request.method} ${request.headers.host}`))
  const proxy = await startProxySimulator({
    protocol,
    login,
    targets: { 'api.example.com': `127.0.0.1:${target.port}` },
  })
  afterAll(() => proxy.close())
  const by = (more: object = {}) =>
    open.along({ proxy: { protocol, host: '127.0.0.1', port: proxy.port, ...login, ...more } })

  test('every kind of call goes through it, and it resolves the name', async () => {
    const egress = by()
    expect((await egress.http('http://api.example.com/')).bytes.toString()).toBe('GET api.example.com')
    const { body } = await egress.stream('http://api.example.com/', { method: 'POST', body: 'x' })
    const pieces: Buffer[] = []
    for await (const piece of body) pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toBe('POST api.example.com')
    expect(await (await egress.fetch('http://api.example.com/')).text()).toBe('GET api.example.com')
    const socket = await egress.connect({ host: 'api.example.com', port: 80 })
    socket.write('GET / HTTP/1.0\r\nhost: a\r\n\r\n')
    const answer = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))
    expect(answer).toContain('GET a')
    socket.destroy()
    expect(new Set(proxy.asked)).toEqual(new Set(['api.example.com:80']))
    await egress.close()
  })

  test('a wrong password, a dead proxy and one inside are ends, never a direct call', async () => {
    const before = hits
    await expect(by({ password: 'outra' }).http(target.url)).rejects.toMatchObject({ wasSent: false })
    await expect(by({ port: 9 }).http(target.url)).rejects.toMatchObject({ wasSent: false })
    await expect(by({ port: 9 }).connect({ host: '127.0.0.1', port: target.port })).rejects.toBeInstanceOf(EgressError)
    const inside = closed.along({ proxy: { protocol, host: 'localhost', port: proxy.port } })
    await expect(inside.http('http://api.example.com/')).rejects.toMatchObject({ code: 'ERR_EGRESS_REFUSED' })
    expect(hits).toBe(before)
  })
})

test('an https proxy proves who it is before it is told anything; with a certificate the target is shown ours behind it', async () => {
  const identity = { cert: certificate, key: certificateKey }
  const server = createTlsServer(
    { ...identity, ca: certificate, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const peer = request.socket instanceof TLSSocket ? request.socket.getPeerCertificate().subject?.CN : undefined
      response.end(String(peer))
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo // listening on a port
  const proxy = await startProxySimulator({ protocol: 'https', identity, login })
  afterAll(() => proxy.close())
  const way = { protocol: 'https' as const, host: '127.0.0.1', port: proxy.port, ...login }
  const by = open.along({ proxy: way, certificate: certificate + certificateKey })
  const url = `https://127.0.0.1:${port}/`
  await expect(by.http(url)).rejects.toMatchObject({ wasSent: false })
  expect(proxy.asked).toEqual([])

  const before = getCACertificates('default')
  setDefaultCACertificates([certificate])
  expect(String((await by.http(url)).bytes)).toBe('balcao-teste')
  expect(proxy.asked).toEqual([`127.0.0.1:${port}`])
  await proxy.close()
  await expect(by.http(url)).rejects.toMatchObject({ wasSent: false }) // dead: never a direct call
  setDefaultCACertificates(before)
})

test('a proxy that accepts and says nothing costs the time of one connection', async () => {
  const silent = createTcp(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo // listening on a port
  const hurried = createEgress({ allow: ['127.0.0.1'], dialMs: 200 })
  const by = hurried.along({ proxy: { protocol: 'http', host: '127.0.0.1', port } })
  await expect(by.http('http://api.example.com/')).rejects.toBeInstanceOf(EgressError)
  silent.close()
})

test('a server that asks for a certificate is shown ours, and its own is checked', async () => {
  const options = {
    key: certificateKey,
    cert: certificate,
    ca: certificate,
    requestCert: true,
    rejectUnauthorized: false,
  }
  const server = createTlsServer(options, (request, response) => {
    const peer = request.socket instanceof TLSSocket ? request.socket.getPeerCertificate().subject?.CN : undefined
    response.end(String(peer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo // listening on a port
  const known = open.along({ certificate: certificate + certificateKey })
  await expect(known.http(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ wasSent: false })

  const before = getCACertificates('default')
  setDefaultCACertificates([certificate])
  const answers = [known, open.along({})].map(async ({ http }) => (await http(`https://127.0.0.1:${port}/`)).bytes)
  expect((await Promise.all(answers)).map(String)).toEqual(['balcao-teste', 'undefined'])
  setDefaultCACertificates(before)
})
