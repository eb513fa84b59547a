import { createHmac } from 'node:crypto'
import { createSimulator, type SimulatorOptions } from '../simulator.ts'

export type N8nRun = { body: Record<string, unknown>; headers: Record<string, unknown>; text: string }
/** How a workflow answers. */
export type N8nMode = 'respond' | 'immediately' | 'lastNode' | 'text' | 'html' | 'empty' | 'fails'

const isToken = (secret: string, authorization: string) => {
  const [head = '', claims = '', signature] = authorization.replace('Bearer ', '').split('.')
  const { exp = 0 } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as { exp?: number }
  return (
    signature === createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url') &&
    exp * 1_000 > Date.now()
  )
}

/** n8n's Webhook node under `/webhook/<path>`: answers only while the workflow is active. */
export const startN8nSimulator = async (options: SimulatorOptions = {}) => {
  const core = await createSimulator(options)
  const control = {
    path: 'atendimento',
    isActive: true,
    mode: 'respond' as N8nMode,
    auth: undefined as undefined | { basic: string } | { header: string; value: string } | { jwt: string },
    answer: (run: N8nRun): unknown => ({ output: `eco: ${String(run.body.chatInput)}` }),
  }
  const runs: N8nRun[] = []
  const unregistered = (path: string) => ({
    code: 404,
    message: `The requested webhook "POST ${path}" is not registered.`,
    hint: 'The workflow must be active for a production URL to run successfully.',
    stacktrace: 'ResponseError: The requested webhook is not registered\n    at LiveWebhooks.executeWebhook',
  })
  core.app.get('/webhook/:path', (_req, reply) =>
    reply.code(404).send({
      code: 404,
      message: 'This webhook is not registered for GET requests. Did you mean to make a POST request?',
    }),
  )
  core.app.post<{ Params: { path: string }; Body: Record<string, unknown> }>('/webhook-test/:path', (req, reply) =>
    reply.code(404).send(unregistered(req.params.path)),
  )
  core.app.post<{ Params: { path: string }; Body: Record<string, unknown> }>('/webhook/:path', (req, reply) => {
    const { auth, mode } = control
    if (!control.isActive || req.params.path !== control.path)
      return reply.code(404).send(unregistered(req.params.path))
    if (auth && 'basic' in auth && req.headers.authorization !== `Basic ${Buffer.from(auth.basic).toString('base64')}`)
      return reply.code(401).send('Authorization is required!')
    if (auth && 'header' in auth && req.headers[auth.header] !== auth.value)
      return reply.code(403).send('Authorization data is wrong!')
    if (auth && 'jwt' in auth && !isToken(auth.jwt, req.headers.authorization ?? ''))
      return reply.code(403).send('Authorization data is wrong!')
    const run = { body: req.body, headers: req.headers, text: JSON.stringify(req.body) }
    runs.push(run)
    switch (mode) {
      case 'immediately':
        return { message: 'Workflow was started' }
      case 'lastNode':
        return [control.answer(run), { output: 'outro item' }]
      case 'text':
        return reply.type('text/plain').send('só texto')
      case 'html':
        return reply.type('text/html').send('<style>p{}</style><p>Olá, <b>Ana</b> &amp; cia.</p>')
      case 'empty':
        return reply.code(204).send()
      case 'fails':
        return reply.code(500).send({ message: 'Error in workflow' })
      default:
        return control.answer(run)
    }
  })
  await core.listen()
  return Object.assign(core, { control, runs })
}
