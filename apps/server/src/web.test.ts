import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../test/kit.ts'

const { seedTenant } = await startTestApp()
const { AppError } = await import('./kit/errors.ts')
const { serveWeb } = await import('./web.ts')

const dist = `${mkdtempSync(join(tmpdir(), 'balcao-web-'))}/`
const file = join(dist, 'assets', 'app-1.js')
mkdirSync(join(dist, 'assets'))
for (const path of [join(dist, 'index.html'), file, `${file}.br`]) writeFileSync(path, 'x')

const app = Fastify().withTypeProvider<ZodTypeProvider>()
app.setErrorHandler((error, _request, reply) =>
  error instanceof AppError ? reply.status(error.status).send({ error: error.code }) : reply.status(500).send({}),
)
await serveWeb(app, dist)
afterAll(async () => {
  await app.close()
  rmSync(dist, { recursive: true })
})

const get = async () => {
  const { statusCode, headers, body } = await app.inject({
    url: '/assets/app-1.js',
    headers: { 'accept-encoding': 'br' },
  })
  return { statusCode, encoding: headers['content-encoding'], cache: headers['cache-control'], body }
}
const notFound = { statusCode: 404, encoding: undefined, cache: undefined, body: '{"error":"ERR_NOT_FOUND"}' }

test('a file that vanishes while the app is built anew is not found, and nothing of its headers stays', async () => {
  expect(await get()).toMatchObject({ statusCode: 200, encoding: 'br', cache: expect.stringContaining('immutable') })

  const open = fs.createReadStream
  vi.spyOn(fs, 'createReadStream').mockImplementationOnce((path, options) => {
    rmSync(path)
    return open(path, options)
  })
  expect(await get()).toEqual(notFound)
  rmSync(file)
  expect(await get()).toEqual(notFound)
})

test('until somebody has an account every address leads to the set-up', async () => {
  const open = async (url: string) => {
    const { statusCode, headers } = await app.inject({ url })
    return headers.location ?? statusCode
  }
  expect(await open('/')).toBe('/masterkey')
  expect(await open('/atendimento/um-que-nao-existe')).toBe('/masterkey')
  expect(await open('/login?tokenSetup=um%20link')).toBe('/masterkey?tokenSetup=um%20link')
  expect(await open('/masterkey?tokenSetup=um-link')).toBe(200)

  await seedTenant()
  expect(await open('/login')).toBe(200)
})
