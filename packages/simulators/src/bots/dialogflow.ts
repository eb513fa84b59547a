import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto'
import { createSimulator, type SimulatorOptions } from '../simulator.ts'

type Answer = Record<string, unknown>

/** Google's token endpoint and Dialogflow's detectIntent, ES (v2) and CX (v3), by a table of words. */
export const startDialogflowSimulator = async (options: SimulatorOptions = {}) => {
  const core = await createSimulator(options)
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const email = 'robo@loja-aurora.iam.gserviceaccount.com'
  const credentials = JSON.stringify({
    type: 'service_account',
    project_id: 'loja-aurora',
    private_key_id: 'k1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: email,
    token_uri: 'https://oauth2.googleapis.com/token',
  })
  const living = new Set<string>()
  const sessions = new Map<string, number>()
  /** What is understood, by a word of it; the rest falls back. */
  const intents: Record<string, { es: Answer; cx: Answer[] }> = {
    welcome: {
      es: { fulfillmentText: 'Olá! Sou o robô da loja.' },
      cx: [{ text: { text: ['Olá! Sou o robô da loja.'] } }],
    },
    boleto: {
      es: {
        fulfillmentMessages: [
          { platform: 'FACEBOOK', text: { text: ['só para o Facebook'] } },
          { text: { text: ['Qual boleto?'] } },
          { quickReplies: { title: 'Escolha', quickReplies: ['Este mês', 'Mês passado'] } },
        ],
      },
      cx: [{ text: { text: ['Qual boleto?'] } }],
    },
    cartao: {
      es: {
        fulfillmentMessages: [
          { card: { title: 'Plano', subtitle: 'R$ 10', buttons: [{ text: 'Quero', postback: 'contratar' }] } },
        ],
      },
      cx: [],
    },
    humano: {
      es: { fulfillmentText: 'Vou chamar alguém.', action: 'transferir.Vendas' },
      cx: [{ text: { text: ['Vou chamar alguém.'] } }, { liveAgentHandoff: { metadata: { queue: 'Vendas' } } }],
    },
    tchau: {
      es: { fulfillmentText: 'Até logo!', intent: { endInteraction: true } },
      cx: [{ text: { text: ['Até logo!'] } }, { endInteraction: {} }],
    },
  }
  const error = (code: number, status: string, message: string) => ({ error: { code, status, message } })

  core.app.post<{ Body: Record<string, string> }>('/token', (req, reply) => {
    const [head = '', body = '', signature = ''] = (req.body.assertion ?? '').split('.')
    const isSigned = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${body}`),
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      Buffer.from(signature, 'base64url'),
    )
    const claims = isSigned ? (JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>) : {}
    const now = core.now() / 1_000
    const isGood =
      claims.iss === email &&
      claims.aud === `${core.url}/token` &&
      Number(claims.exp) > now &&
      Number(claims.exp) - now <= 3_601
    if (!isGood) return reply.code(400).send({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' })
    const access = `ya29.${randomUUID()}`
    living.add(access)
    return { access_token: access, expires_in: 3_599, token_type: 'Bearer' }
  })

  type Query = { queryInput: { text?: { text: string }; event?: unknown }; queryParams?: { resetContexts?: boolean } }
  core.app.post<{ Body: Query }>('/*', (req, reply) => {
    if (!req.url.endsWith(':detectIntent')) return reply.code(404).send(error(404, 'NOT_FOUND', 'Not found'))
    if (!living.has(req.headers.authorization?.replace('Bearer ', '') ?? ''))
      return reply.code(401).send(error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'))
    const [, version, session = ''] =
      /^\/(v2|v3)\/.*\/sessions\/([^/]+):detectIntent$/.exec(decodeURIComponent(req.url)) ?? []
    if (!version || session.length > 36)
      return reply.code(400).send(error(400, 'INVALID_ARGUMENT', 'Invalid session id'))
    const said = req.body.queryInput.text?.text ?? 'welcome'
    if (said.length > 256)
      return reply.code(400).send(error(400, 'INVALID_ARGUMENT', 'Input text exceeds 256 characters.'))
    sessions.set(session, (sessions.get(session) ?? 0) + 1)
    const name = Object.keys(intents).find((word) => said.toLowerCase().includes(word))
    const known = name && intents[name]
    if (version === 'v3')
      return {
        responseId: randomUUID(),
        queryResult: {
          text: said,
          responseMessages: known ? known.cx : [{ text: { text: ['Não entendi.'] } }],
          match: { matchType: known ? 'INTENT' : 'NO_MATCH', confidence: 1 },
        },
      }
    const heard = {
      queryText: said,
      ...(said === 'contratar' || said === 'Mês passado'
        ? { fulfillmentText: `Anotado: ${said}` }
        : { fulfillmentText: 'Não entendi.', intent: { isFallback: true } }),
    }
    return { responseId: randomUUID(), queryResult: known ? { queryText: said, ...known.es } : heard }
  })
  await core.listen()
  return Object.assign(core, { credentials, living, sessions, intents })
}
