import { recordOf } from '../simulator.ts'
import { TelegramError } from './errors.ts'
import { unfold } from './params.ts'
import type { Methods, State } from './state.ts'

/** The Bot API as the business calls it. */
export const addBotApi = (state: State, methods: Methods) => {
  const { core } = state
  core.app.setErrorHandler((error, _req, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    const text = error instanceof Error ? error.message : 'error'
    const refusal =
      error instanceof TelegramError
        ? error
        : new TelegramError(status, `${status < 500 ? 'Bad Request' : 'Internal Server Error'}: ${text}`)
    return reply.code(refusal.code).send(refusal.toBody())
  })
  core.app.setNotFoundHandler((_req, reply) => reply.code(404).send(new TelegramError(404, 'Not Found').toBody()))
  const checkToken = (token: string) => {
    if (state.isRevoked || token !== state.options.botToken) throw new TelegramError(401, 'Unauthorized')
  }
  core.app.route<{ Params: { token: string; method: string } }>({
    method: ['GET', 'POST'],
    url: '/bot:token/:method',
    handler: async (req) => {
      checkToken(req.params.token)
      const method = methods[req.params.method.toLowerCase()]
      if (!method) throw new TelegramError(404, 'Not Found')
      const { body, query, files: uploads } = recordOf(req)
      return { ok: true, result: await method(unfold({ ...query, ...Object(body) }), uploads) }
    },
  })
  core.app.get<{ Params: { token: string; '*': string } }>('/file/bot:token/*', async (req, reply) => {
    checkToken(req.params.token)
    const file = state.files.open(req.params['*'])
    if (!file) throw new TelegramError(404, 'Not Found')
    return reply.type('application/octet-stream').send(file.bytes)
  })
}
