import { type ErrorCode, errorCodes } from '@balcao/contract/errors.ts'
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import { z } from 'zod'
import { env } from '../../../env.ts'
import { exampleOf, type JsonSchema } from './example.ts'

const introduction = `Chame com o cabeçalho \`Authorization: Bearer <token>\`; o token vem de \`POST /api/auth/login\` e vale 15 minutos.

Toda recusa responde \`{ error, message, details?, requestId }\`: o código de \`error\` não muda, o texto é para pessoas.
Qualquer chamada pode responder 500 (\`ERR_INTERNAL\`) ou 503 (\`ERR_UNAVAILABLE\`, tente de novo em instantes).

As listas respondem \`{ items, hasMore, nextCursor }\`; mande \`nextCursor\` em \`cursor\` para ler a página seguinte.`

/** The OpenAPI document of these routes, from the schemas that guard them. */
export const describeApi = (routes: RouteOptions[]) => {
  const told = routes.filter(({ config, method }) => config && !config.isHidden && method !== 'HEAD')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of told)
    for (const method of [route.method].flat()) {
      const path = route.url.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route) }
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Balcão', version: '1', description: introduction },
    servers: [{ url: env.PUBLIC_URL }],
    tags: [...new Set(told.map(areaOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
    security: [{ bearer: [] }],
  }
}

const areaOf = ({ config }: RouteOptions) => config?.area ?? 'Outros'

const operationOf = (route: RouteOptions) => {
  const { config = { summary: route.url }, schema = {} } = route
  const body = config.takesFile ? fileBody : schema.body ? requestBody(schema.body, config.takesForm) : undefined
  return {
    tags: [areaOf(route)],
    summary: config.summary,
    ...(config.public && { security: [] }),
    parameters: [
      ...parametersOf(
        'path',
        schema.params,
        route.url.match(/:\w+/g)?.map((name) => name.slice(1)),
      ),
      ...parametersOf('query', schema.querystring),
    ],
    ...(body && { requestBody: body }),
    responses: { ...successes(config, schema.response), ...refusals(refusalsOf(route)) },
  }
}

const parametersOf = (place: 'path' | 'query', described: unknown, named: string[] = []) => {
  const schema = described ? jsonSchema(described, 'input') : {}
  const { properties = {}, required = [] } = schema
  return [...new Set([...named, ...Object.keys(properties)])].map((name) => ({
    in: place,
    name,
    required: place === 'path' || required.includes(name),
    schema: properties[name] ?? { type: 'string' },
    ...(place === 'path' && { example: exampleOf(properties[name] ?? { type: 'string' }, { name }) }),
  }))
}

const requestBody = (described: unknown, files: readonly string[] = []) => {
  const schema = jsonSchema(described, 'input')
  const binary = Object.fromEntries(files.map((name) => [name, { type: 'string', format: 'binary' }]))
  const form = { ...schema, properties: { ...schema.properties, ...binary } }
  return {
    content: {
      'application/json': { schema, example: exampleOf(schema) },
      ...(files.length && { 'multipart/form-data': { schema: form } }),
    },
  }
}
const fileBody = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
    },
  },
}

const meanings: Record<string, string> = {
  200: 'Certo.',
  201: 'Criado.',
  202: 'Aceito: o trabalho continua depois da resposta.',
  204: 'Feito; não há o que responder.',
  304: 'Nada mudou desde a última leitura.',
}
const successes = ({ gives }: FastifyContextConfig, response: unknown) => {
  if (gives) return { 200: { description: meanings[200], content: { [gives]: { schema: { type: 'string' } } } } }
  const answers = Object.entries(response ?? { 200: z.unknown() }).map(([status, described]) => {
    const isEmpty = described instanceof z.ZodVoid || described instanceof z.ZodUndefined
    const schema = isEmpty ? undefined : jsonSchema(described, 'output')
    const content = schema && { 'application/json': { schema, example: exampleOf(schema) } }
    return [status, { description: meanings[status] ?? '', ...(content && { content }) }]
  })
  return Object.fromEntries(answers)
}

/** What a route can refuse: what follows from who may call, from its schemas and limits, and what it says itself. */
export const refusalsOf = ({ url, config, schema = {} }: Pick<RouteOptions, 'url' | 'config' | 'schema'>) => {
  const own = config?.errors ?? []
  const isOwnMissing = own.some((code) => errorCodes[code].status === 404)
  const codes: ErrorCode[] = [
    ...(config?.can ? (['ERR_SESSION_EXPIRED', 'ERR_USER_BLOCKED', 'ERR_NO_PERMISSION'] as const) : []),
    ...(config?.can ? (['ERR_TENANT_INACTIVE'] as const) : []),
    ...(url.includes(':') && !isOwnMissing ? (['ERR_NOT_FOUND'] as const) : []),
    ...(schema.body || schema.querystring || schema.params ? (['ERR_VALIDATION'] as const) : []),
    ...(config && 'rateLimit' in config ? (['ERR_TOO_MANY'] as const) : []),
    ...(config?.takesFile || config?.takesForm
      ? (['ERR_VALIDATION', 'ERR_TOO_LARGE', 'ERR_MEDIA_TYPE', 'ERR_STORAGE_FULL'] as const)
      : []),
    ...own,
  ]
  return [...new Set(codes)]
}

const refusals = (codes: ErrorCode[]) => {
  const byStatus = Map.groupBy(codes, (code) => errorCodes[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((code) => errorCodes[code].text).join(' '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(same.map((code) => [code, { value: refusalExample(code) }])),
          },
        },
      },
    ]),
  )
}
const refusalExample = (error: ErrorCode) => ({
  error,
  message: errorCodes[error].text,
  ...(error === 'ERR_VALIDATION' && { details: [{ path: 'name', message: 'Preencha este campo.' }] }),
  requestId: '4f3c2b1a-0d9e-4c8b-a7f6-5e4d3c2b1a00',
})
const errorSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', enum: Object.keys(errorCodes) },
    message: { type: 'string' },
    details: {},
    requestId: { type: 'string' },
  },
  required: ['error', 'message', 'requestId'],
}

const jsonSchema = (described: unknown, io: 'input' | 'output'): JsonSchema => {
  if (!(described instanceof z.ZodType)) throw new Error('A schema of a route is one of zod')
  const { $schema, ...schema } = z.toJSONSchema(described, { io, unrepresentable: 'any' })
  return schema as JsonSchema // what exampleOf reads of it is checked there
}
