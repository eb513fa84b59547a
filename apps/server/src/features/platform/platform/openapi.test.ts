import { errorCodes } from '@balcao/contract/errors.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp } from '../../../../test/kit.ts'

const { app } = await startTestApp()
const { declared } = app
const { areas } = await import('../../index.ts')

type Media = { example?: unknown; examples?: Record<string, { value: { error: string; message: string } }> }
type Answer = { description: string; content?: Record<string, Media> }
type Operation = {
  summary?: string
  tags?: string[]
  security?: unknown[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer>
}
const reference = JSON.parse(app.reference()) as {
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(reference.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
)
const nameless = (lacking: (operation: Operation) => boolean) => operations.filter(lacking).map(({ name }) => name)

test('every operation says in Portuguese what it does, each in its own words', () => {
  expect(operations.length).toBeGreaterThan(200)
  expect(nameless(({ summary }) => !/^\p{Lu}\p{Ll}+r(-se)? .|^Sair$/u.test(summary ?? ''))).toEqual([])
  const twice = Map.groupBy(operations, ({ summary }) => summary)
  expect([...twice].filter(([, same]) => same.length > 1).map(([summary]) => summary)).toEqual([])
})

test('operations stand in the areas of the product, in their order', () => {
  const told = reference.tags.map(({ name }) => name)
  expect(told.slice(0, Object.keys(areas).length)).toEqual(Object.keys(areas))
  expect(nameless(({ tags }) => !tags?.[0] || !told.includes(tags[0]))).toEqual([])
})

test('what is sent and what is answered is shown by an example', () => {
  expect(
    nameless(({ requestBody }) => {
      const json = requestBody?.content['application/json']
      return json !== undefined && !('example' in json)
    }),
  ).toEqual([])
  expect(
    nameless(({ responses }) => {
      const good = Object.entries(responses).filter(([status]) => Number(status) < 400)
      return !good.some(([status, { content = {} }]) => status === '204' || Object.keys(content).length)
    }),
  ).toEqual([])
})

test('an example is what the schema accepts', () => {
  const wrong: string[] = []
  for (const { method, url, schema } of declared) {
    const path = url.replace(/:(\w+)/g, '{$1}')
    const operation = reference.paths[path]?.[String(method).toLowerCase()]
    if (!operation) continue
    const check = (what: string, described: unknown, media: Media | undefined) => {
      if (!(described instanceof z.ZodType) || !media) return
      const { error } = described.safeParse(media.example)
      if (error)
        wrong.push(`${method} ${url} ${what}: ${error.issues.map((one) => `${one.path.join('.')} ${one.message}`)}`)
    }
    check('body', schema?.body, operation.requestBody?.content['application/json'])
    for (const [status, described] of Object.entries(schema?.response ?? {}))
      check(status, described, operation.responses[status]?.content?.['application/json'])
  }
  expect(wrong).toEqual([])
})

test('refusals come from the one table of errors, and those of a session are told wherever one is needed', () => {
  const known = new Map<string, { status: number; text: string }>(Object.entries(errorCodes))
  const wrong: string[] = []
  for (const { name, security, responses } of operations) {
    if (!security && !(responses[401] && responses[403])) wrong.push(`${name} does not tell of its session`)
    if (name.includes('{') && !responses[404] && !security) wrong.push(`${name} never misses anything`)
    for (const [status, { content }] of Object.entries(responses)) {
      if (Number(status) < 400) continue
      for (const { value } of Object.values(content?.['application/json']?.examples ?? {})) {
        const code = known.get(value.error)
        if (code?.status !== Number(status) || code.text !== value.message) wrong.push(`${name} ${value.error}`)
      }
    }
  }
  expect(wrong).toEqual([])
})

test('a call tells the refusals that are its own', () => {
  const codesOf = (path: string, method: string, status: number) =>
    Object.keys(reference.paths[path]?.[method]?.responses[status]?.content?.['application/json']?.examples ?? {})
  expect(codesOf('/api/tickets/{id}', 'put', 409)).toContain('ERR_TICKET_TAKEN')
  expect(codesOf('/api/tickets/{id}', 'put', 404)).toEqual(['ERR_NO_TICKET_FOUND'])
  expect(codesOf('/api/queue/{id}', 'delete', 409)).toEqual(['ERR_IN_USE', 'ERR_QUEUE_TICKET_EXISTS'])
  expect(codesOf('/api/media', 'post', 413)).toEqual(['ERR_TOO_LARGE'])
  expect(codesOf('/api/auth/login', 'post', 401)).toContain('ERR_INVALID_CREDENTIALS')
})

test('the reference, which is large and open to everybody, is not given without end', async () => {
  const asked: number[] = []
  while (asked.length < 61) asked.push((await app.inject({ url: '/api/docs' })).statusCode)
  expect(asked.filter((status) => status === 429)).toHaveLength(1)
})
