import { sign } from 'node:crypto'
import { understand } from '@balcao/contract/automation/flows/understand.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { IntegrationAdapter, IntegrationContext } from '../adapter.ts'
import { type BotReply, type BotSays, type BotTurn, obeyed } from '../bot-turn.ts'
import { ModelProblem } from '../model-problem.ts'
import { call, opened, Refused } from './calls.ts'

const label = 'O Dialogflow'
type Context = IntegrationContext<'dialogflow'>

/** Letters a question may have (ES and CX alike). */
const longest = 256
const account = z.object({
  type: z.literal('service_account'),
  project_id: z.string().min(1),
  private_key_id: loose(z.string()),
  private_key: z.string().includes('PRIVATE KEY'),
  client_email: z.string().min(3),
  token_uri: loose(z.string()),
})
const session = z.object({ fallbacks: z.int(), options: z.array(z.string()) })
type Session = z.output<typeof session>

const message = z.object({
  platform: loose(z.string()),
  text: loose(z.object({ text: loose(z.array(z.string())) })),
  quickReplies: loose(z.object({ title: loose(z.string()), quickReplies: loose(z.array(z.string())) })),
  image: loose(z.object({ imageUri: loose(z.string()) })),
  card: loose(
    z.object({
      title: loose(z.string()),
      subtitle: loose(z.string()),
      imageUri: loose(z.string()),
      buttons: loose(z.array(z.object({ text: loose(z.string()), postback: loose(z.string()) }))),
    }),
  ),
  liveAgentHandoff: loose(z.object({ metadata: loose(z.looseObject({ queue: loose(z.string()) })) })),
  endInteraction: loose(z.unknown()),
  payload: loose(z.looseObject({ queue: loose(z.string()), transfer: loose(z.boolean()) })),
})
type Message = z.output<typeof message>
const result = z.object({
  queryResult: z.object({
    action: loose(z.string()),
    fulfillmentText: loose(z.string()),
    fulfillmentMessages: loose(z.array(z.unknown())),
    responseMessages: loose(z.array(z.unknown())),
    intent: loose(
      z.object({
        isFallback: loose(z.boolean()),
        endInteraction: loose(z.boolean()),
        liveAgentHandoff: loose(z.boolean()),
      }),
    ),
    match: loose(z.object({ matchType: loose(z.string()) })),
  }),
})

/** Facts: Dialogflow ES v2 and CX v3 over REST, with a service account's token (RFC 7523). */
export const dialogflow: IntegrationAdapter<'dialogflow'> = {
  test: async (context) => {
    const turn = { text: 'oi', variables: { atendimento: 'teste' }, timeZone: 'America/Sao_Paulo', deadlineMs: 15_000 }
    await detect(context, turn, credentialsOf(context))
    return { text: 'O agente respondeu.' }
  },
  converse: async (turn, context) => {
    const before = opened(turn.session, (value) => session.safeParse(value)) ?? { fallbacks: 0, options: [] }
    if (turn.text.length > longest)
      return {
        session: null,
        says: [],
        handOver: { note: `O Dialogflow aceita até ${longest} letras, e o cliente escreveu mais.` },
      }
    // Its number alone, as people write it: whatever else is said, the agent understands by itself.
    const said =
      understand(
        turn.text,
        before.options.map((id) => ({ id, title: '', words: [] })),
      ) ?? turn.text
    const credentials = credentialsOf(context)
    const told = await detect(context, { ...turn, text: said }, credentials).catch((error: unknown) => {
      // The token ended before its time: another, once.
      if (!(error instanceof Refused && error.status === 401)) throw error
      tokens.delete(keyOf(context))
      return detect(context, { ...turn, text: said }, credentials)
    })
    return replyOf(told, context.config.fallbacks, before)
  },
}

const credentialsOf = ({ config }: Context) => {
  const read = z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: '' })
        return z.NEVER
      }
    })
    .pipe(account)
    .safeParse(config.credentials)
  if (!read.data)
    throw new ModelProblem(
      'config',
      'Esta não é a chave JSON de uma conta de serviço. Baixe-a no Google Cloud e cole o arquivo inteiro.',
      { isOfAccount: true },
    )
  return read.data
}
type Credentials = ReturnType<typeof credentialsOf>

type Asked = Pick<BotTurn, 'text' | 'variables' | 'timeZone' | 'deadlineMs'> & Partial<Pick<BotTurn, 'event'>>
const detect = async (
  context: Context,
  { text, variables, timeZone, deadlineMs, event }: Asked,
  credentials: Credentials,
) => {
  const { edition, language: languageCode } = context.config
  const query = text.trim()
    ? { text: { text, ...(edition === 'es' && { languageCode }) } }
    : { event: greeting(context) }
  const reply = await call({ label, context }, sessionUrl(context, credentials, variables.atendimento ?? ''), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await tokenOf(context, credentials)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      queryInput: { ...query, ...(edition === 'cx' && { languageCode }) },
      queryParams: {
        timeZone,
        payload: variables,
        ...(edition === 'es' ? { resetContexts: event === 'restart' } : { parameters: variables }),
      },
    }),
    timeoutMs: deadlineMs,
  })
  return result.parse(reply.json()).queryResult
}
const greeting = ({ config: { edition, language: languageCode } }: Context) =>
  edition === 'es' ? { name: 'WELCOME', languageCode } : { event: 'WELCOME' }

const sessionUrl = ({ config }: Context, { project_id }: Credentials, sessionId: string) => {
  const { edition, location, environment, baseUrl } = config
  const host = baseUrl ?? `https://${location && location !== 'global' ? `${location}-` : ''}dialogflow.googleapis.com`
  const part = (name: string, value: string | undefined) => (value ? `/${name}/${encodeURIComponent(value)}` : '')
  const project = `projects/${encodeURIComponent(project_id)}`
  const session = `${sessionId.slice(0, 36)}:detectIntent`
  if (edition === 'cx')
    return `${host}/v3/${project}/locations/${location || 'global'}/agents/${encodeURIComponent(config.agentId ?? '')}${part('environments', environment)}/sessions/${session}`
  const user = environment ? '/users/-' : ''
  return `${host}/v2/${project}${part('locations', location)}/agent${part('environments', environment)}${user}/sessions/${session}`
}

/** Tokens live an hour; each is used until five minutes before. */
const tokens = new Map<string, { token: string; until: number }>()
const keyOf = ({ tenantId, id, config }: Context) =>
  `${tenantId}:${id}:${config.credentials.length}:${config.credentials.slice(-40)}`
const tokenUrl = ({ config }: Context, { token_uri }: Credentials) => {
  if (config.baseUrl) return `${config.baseUrl}/token`
  return token_uri && /^https:\/\/[\w.-]+\.googleapis\.com\//.test(token_uri)
    ? token_uri
    : 'https://oauth2.googleapis.com/token'
}
const tokenOf = async (context: Context, credentials: Credentials): Promise<string> => {
  const known = tokens.get(keyOf(context))
  if (known && known.until > Date.now()) return known.token
  const aud = tokenUrl(context, credentials)
  const iat = Math.floor(Date.now() / 1_000)
  const { client_email: email, private_key_id: kid } = credentials
  const claims = {
    iss: email,
    sub: email,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud,
    iat,
    exp: iat + 3_600,
  }
  const text = [{ alg: 'RS256', typ: 'JWT', kid }, claims]
    .map((one) => Buffer.from(JSON.stringify(one)).toString('base64url'))
    .join('.')
  const assertion = `${text}.${signed(text, credentials.private_key)}`
  const reply = await call({ label: 'O Google', context }, aud, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
    timeoutMs: 10_000,
  })
  const { access_token: token, expires_in: lifeS } = z
    .object({ access_token: z.string(), expires_in: z.number() })
    .parse(reply.json())
  if (tokens.size > 1_000) tokens.clear()
  tokens.set(keyOf(context), { token, until: Date.now() + (lifeS - 300) * 1_000 })
  return token
}
const signed = (text: string, key: string) => {
  try {
    return sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')
  } catch {
    throw new ModelProblem('config', 'A chave privada da conta de serviço está incompleta. Cole o arquivo inteiro.', {
      isOfAccount: true,
    })
  }
}

const replyOf = (told: z.output<typeof result>['queryResult'], mostFallbacks: number, before: Session): BotReply => {
  const messages = [...(told.fulfillmentMessages ?? []), ...(told.responseMessages ?? [])].flatMap(
    (one) => message.safeParse(one).data ?? [],
  )
  const platform = messages.some((one) => isForAll(one)) ? undefined : messages[0]?.platform
  const mine = messages.filter((one) => (platform ? one.platform === platform : isForAll(one)))
  const spoken = mine.flatMap(saysOf)
  const says: BotSays[] =
    spoken.length || !told.fulfillmentText ? spoken : [{ kind: 'text', body: told.fulfillmentText }]
  const asked = obeyed(says)
  const isMissed = told.intent?.isFallback || ['NO_MATCH', 'NO_INPUT'].includes(told.match?.matchType ?? '')
  const fallbacks = isMissed ? before.fallbacks + 1 : 0
  const live = mine.find(({ liveAgentHandoff, payload }) => liveAgentHandoff || payload?.transfer || payload?.queue)
  const queue =
    live?.liveAgentHandoff?.metadata?.queue ?? live?.payload?.queue ?? /^transferir\.(.+)$/.exec(told.action ?? '')?.[1]
  const isTransfer = live || told.action?.startsWith('transferir') || told.intent?.liveAgentHandoff
  if (isTransfer) return { session: null, says: asked.says, handOver: { queue } }
  if (fallbacks >= mostFallbacks)
    return { session: null, says: asked.says, handOver: { note: `O Dialogflow não entendeu ${fallbacks} vezes.` } }
  const isDone = asked.isDone || told.intent?.endInteraction || mine.some((one) => one.endInteraction !== undefined)
  const options = asked.says.flatMap((one) => (one.kind === 'choices' ? one.options.map(({ id }) => id) : []))
  return { session: isDone ? null : JSON.stringify({ fallbacks, options }), ...asked, ...(isDone && { isDone: true }) }
}
const isForAll = ({ platform }: Message) => !platform || platform === 'PLATFORM_UNSPECIFIED'

const saysOf = ({ text, quickReplies, image, card }: Message): BotSays[] => [
  ...(text?.text ?? []).flatMap((body): BotSays[] => (body.trim() ? [{ kind: 'text', body }] : [])),
  ...(quickReplies?.quickReplies?.length
    ? [
        choices(
          quickReplies.title || 'Escolha uma opção:',
          quickReplies.quickReplies.map((title) => ({ title, says: title })),
        ),
      ]
    : []),
  ...[image?.imageUri, card?.imageUri].flatMap((url): BotSays[] => (url ? [{ kind: 'file', url, caption: '' }] : [])),
  ...cardSays(card),
]
const cardSays = (card: Message['card']): BotSays[] => {
  const body = [card?.title, card?.subtitle].filter(Boolean).join('\n')
  const buttons = (card?.buttons ?? []).flatMap(({ text, postback }) =>
    text ? { title: text, says: postback || text } : [],
  )
  if (buttons.length) return [choices(body || 'Escolha uma opção:', buttons)]
  return body ? [{ kind: 'text', body }] : []
}
const choices = (body: string, options: { title: string; says: string }[]): BotSays => ({
  kind: 'choices',
  body,
  options: options.map(({ title, says }) => ({ id: says, title, description: '' })),
})
