import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import '../test/kit.ts' // an environment of its own, before anything reads it

const { readEnv } = await import('./env.ts')
const folder = () => mkdtempSync(join(tmpdir(), 'balcao-env-'))
const read = (given: Record<string, string>) => readEnv({ DATA_DIR: folder(), ...given })
const pemOf = (bits: number) =>
  generateKeyPairSync('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

test.each([
  ['PORT', 'abc'],
  ['PORT', '99999'],
  ['PUBLIC_URL', 'loja.com.br'],
  ['PUBLIC_URL', 'https://loja.com.br/atendimento'],
  ['DATA_DIR', '/etc/passwd'],
  ['DATA_DIR', '/etc/passwd/dados'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_URL', 'postgres:'],
  ['DATABASE_URL', 'postgres:///balcao?host=/run/postgresql'],
  ['DATABASE_URL', 'postgres://db/balcao?user=postgres'],
  ['DATABASE_OWNER_URL', 'postgres://a:%zz@db/balcao'],
  ['DATABASE_URL', 'db:5432'],
  ['DATABASE_POOL', '1'],
  ['REDIS_URL', 'http://redis'],
  ['STORAGE_URL', 'arquivos'],
  ['STORAGE_URL', 'file://servidor/arquivos'],
  ['STORAGE_URL', 's3:'],
  ['ROLES', 'api,porteiro'],
  ['ROLES', ','],
  ['EGRESS_ALLOW', '10.0.0.0/99'],
  ['EGRESS_ALLOW', 'http://n8n.local'],
  ['SMTP_URL', 'http://x'],
  ['SMTP_URL', 'smtp:'],
  ['SMTP_FROM', 'Loja'],
  ['SMTP_FROM', 'a@b.c\r\nBcc: d@e.f'],
  ['MICROSOFT_AUTHORITY', 'organizations'],
  ['TRUST_PROXY', 'nginx'],
  ['TRUST_PROXY', 'true,10.0.0.1'],
  ['LOG_LEVEL', 'alto'],
  ['MEDIA_MAX_MB', '0'],
  ['APP_SECRET', 'curto'],
  ['APP_SECRET', 'a'.repeat(40)],
  ['LOGIN_KEY', 'nada'],
  ['LOGIN_KEY', pemOf(2048)],
])('%s=%s stops the start with one sentence that names it', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name} .+\\.$`))
})

test('a client of a provider is of use only whole', () => {
  expect(() => read({ GOOGLE_CLIENT_ID: 'id' })).toThrow('GOOGLE_CLIENT_SECRET deve acompanhar GOOGLE_CLIENT_ID.')
  expect(() => read({ MICROSOFT_CLIENT_SECRET: 'segredo' })).toThrow(/^MICROSOFT_CLIENT_ID deve acompanhar/)
})

test.each([
  ['PUBLIC_URL', 'https://loja.com.br'],
  ['PUBLIC_URL', 'http://[::1]:3000/'],
  ['DATABASE_URL', 'postgres://balcao:s%40nha@db:5432/balcao?sslmode=require'],
  ['REDIS_URL', 'redis://127.0.0.1:6379'],
  ['STORAGE_URL', 'file:///var/lib/balcao/media'],
  ['STORAGE_URL', 's3://balde?region=sa-east-1'],
  ['SMTP_URL', 'smtp://127.0.0.1:2525'],
  ['SMTP_URL', 'smtps://nome%40loja.com.br:senha@smtp.loja.com.br'],
  ['SMTP_FROM', 'Loja Aurora <nao-responda@loja.com.br>'],
  ['SMTP_FROM', 'loja@loja.com.br'],
  ['EGRESS_ALLOW', 'ollama.interno, 10.0.0.0/8,::1,localhost'],
])('%s=%s is taken', (name, value) => {
  expect(Object.keys(read({ [name]: value }))).toContain(name)
})

test('the README explains every variable', () => {
  const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const readme = textOf('../../../README.md')
  const names = [...textOf('./env.ts').matchAll(/^ {2}([A-Z_]+): /gm)].flatMap(([, name]) => name ?? [])
  expect(names.length).toBeGreaterThan(18)
  expect(names.filter((name) => name !== 'NODE_ENV' && !readme.includes(`\`${name}\``))).toEqual([])
})

test('what is blank is not set', () => {
  expect(read({ PORT: ' ', TRUST_PROXY: '', APP_SECRET: '' })).toMatchObject({ PORT: 3000, TRUST_PROXY: false })
})

test.each([
  ['false', '127.0.0.1'],
  ['true', '10.0.0.9'],
  ['2', '8.8.8.8'],
  ['127.0.0.1, 10.0.0.0/8', '8.8.8.8'],
  ['10.0.0.0/8', '127.0.0.1'],
])('TRUST_PROXY=%s believes no more than it says', async (given, ip) => {
  const app = Fastify({ trustProxy: read({ TRUST_PROXY: given }).TRUST_PROXY })
  app.get('/', async (request) => request.ip)
  const headers = { 'x-forwarded-for': '6.6.6.6, 8.8.8.8, 10.0.0.9' } // the first is the visitor's own claim
  expect((await app.inject({ url: '/', headers })).body).toBe(ip)
})

test('a key to the passwords may come in one line', () => {
  const pem = pemOf(3072)
  expect(read({ LOGIN_KEY: pem.replaceAll('\n', '\\n') }).LOGIN_KEY).toBe(pem)
})

test('the secret is made once, for its owner alone; a damaged one is not replaced in silence', () => {
  const DATA_DIR = folder()
  const { APP_SECRET } = readEnv({ DATA_DIR })
  expect(readEnv({ DATA_DIR }).APP_SECRET).toBe(APP_SECRET)
  expect(readdirSync(DATA_DIR)).toEqual(['secret'])
  expect(statSync(join(DATA_DIR, 'secret')).mode & 0o777).toBe(0o600)
  writeFileSync(join(DATA_DIR, 'secret'), '')
  expect(() => readEnv({ DATA_DIR })).toThrow(/^APP_SECRET.+danificado/)
})

test('processes that start together keep one secret', async () => {
  const DATA_DIR = folder()
  const keptFile = fileURLToPath(new URL('./kit/kept-file.ts', import.meta.url))
  const script = `import { keptSecret } from ${JSON.stringify(keptFile)}
    process.stdout.write(keptSecret(${JSON.stringify(join(DATA_DIR, 'secret'))}, () => String(process.pid).repeat(20_000)))`
  const tell = () =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
      const said: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
      child.on('close', () => resolve(Buffer.concat(said).toString()))
    })
  const told = await Promise.all([tell(), tell(), tell(), tell()])
  expect(new Set(told)).toEqual(new Set([readFileSync(join(DATA_DIR, 'secret'), 'utf8')]))
})
