import type { FastifyInstance } from 'fastify'
import type { Handset } from './handset.ts'
import { createActs } from './meta/acts.ts'
import { PageCustomer, type PageProfile } from './meta/customer.ts'
import { PageError } from './meta/errors.ts'
import { knownFaults } from './meta/faults.ts'
import { createSending } from './meta/sending.ts'
import { createState, type PageObject, type PageOptions, type State } from './meta/state.ts'
import { createSimulator, type DeliveredWebhook, recordOf } from './simulator.ts'

export type { PageCustomer } from './meta/customer.ts'
export type { PageOptions } from './meta/state.ts'

export type PageSimulator = Handset & {
  readonly customers: PageCustomer[]
  readonly options: PageOptions
  /** How each send said it came to be: `RESPONSE`, or its tag. */
  readonly tags: readonly string[]
  isSubscribed: boolean
  setWebhook(url: string | undefined): void
  setAccessToken(token: string): void
  /** Finds by id, or creates. */
  customer(profile?: PageProfile): PageCustomer
  newCustomer(customer: { name: string; handle?: string }): PageCustomer
  /** Somebody wrote in the app itself. */
  echo(to: PageCustomer, text: string): Promise<string>
  /** Posts an envelope as it is. `signature: null` leaves the header out. */
  postRaw(payload: object | string, options?: { signature?: string | null }): Promise<DeliveredWebhook>
  sign(body: string): string
}

export const startMessengerSimulator = (options: PageOptions) => start('page', options)
export const startInstagramSimulator = (options: PageOptions) => start('instagram', options)

/** Messages of a page, or of an Instagram account, on `{url}/v25.0/…` (any version), with the phones of those who write. */
const start = async (object: PageObject, options: PageOptions): Promise<PageSimulator> => {
  const core = await createSimulator(options)
  const state = createState(core, object, options)
  const sending = createSending(state)
  await addGraphApi(state, sending)
  await core.listen()

  const customer = (profile: PageProfile = {}) => {
    const found = state.customers.find(({ id }) => id === profile.id)
    if (found) return found
    const made = new PageCustomer(state, profile)
    state.customers.push(made)
    core.changed()
    return made
  }
  const { requests, faults, delivery, webhooks, idle, onChange, close } = core
  return {
    ...{ requests, faults, delivery, webhooks, idle, onChange, close },
    get url() {
      return core.url
    },
    channel: object === 'page' ? 'messenger' : 'instagram',
    businessName: options.name ?? 'Loja',
    businessHandle: options.username ? `@${options.username}` : options.accountId,
    customers: state.customers,
    options,
    tags: state.tags,
    knownFaults,
    acts: createActs(state, sending),
    get isSubscribed() {
      return state.isSubscribed
    },
    set isSubscribed(is) {
      state.isSubscribed = is
    },
    setWebhook: (url) => {
      state.webhookUrl = url
    },
    setAccessToken: (token) => {
      state.accessToken = token
    },
    customer,
    newCustomer: ({ name, handle }) => customer({ name, username: handle?.replace('@', '') }),
    echo: sending.echo,
    postRaw: state.postRaw,
    sign: (body) => state.sign(body),
  }
}

const addGraphApi = async (state: State, { send }: ReturnType<typeof createSending>) => {
  const { core, object, options } = state
  const { accountId, pageId, name = 'Loja', username } = options
  const node = pageId ?? accountId

  core.app.setErrorHandler((error, _req, reply) => {
    const refusal = error instanceof PageError ? error : new PageError(...codeOf(error))
    return reply.code(refusal.status).send(refusal.toBody())
  })
  core.app.setNotFoundHandler((req, reply) => {
    const refusal = new PageError(100, `Unknown path components: ${req.url}`)
    return reply.code(404).send(refusal.toBody())
  })
  const own = (id: string) => {
    if (id !== node) throw new PageError(100, `Object with ID '${id}' does not exist`, { subcode: 33 })
  }
  const account = { id: accountId, user_id: accountId, name, username }
  await core.app.register(
    async (api: FastifyInstance) => {
      api.addHook('preHandler', async (req) => {
        if (req.headers.authorization !== `Bearer ${state.accessToken}`)
          throw new PageError(190, 'Invalid OAuth access token')
      })
      api.post<IdParam>('/:id/messages', async (req, reply) => {
        own(req.params.id)
        return send(req.body, reply)
      })
      api.get<IdParam>('/:id/subscribed_apps', async (req) => {
        own(req.params.id)
        return { data: state.isSubscribed ? [{ id: '670000000000001', name: 'Balcão' }] : [] }
      })
      api.post<IdParam>('/:id/subscribed_apps', async (req) => {
        own(req.params.id)
        const asked = recordOf(req).query.subscribed_fields?.split(',') ?? []
        if (!asked.length) throw new PageError(100, 'The parameter subscribed_fields is required')
        const known = object === 'instagram' && !pageId ? accountFields : pageFields
        const wrong = asked.find((one) => !known.has(one))
        if (wrong) throw new PageError(100, `Param subscribed_fields must be one of {${[...known]}} - got "${wrong}"`)
        state.isSubscribed = true
        return { success: true }
      })
      api.get<IdParam>('/:id', async (req) => {
        const { id } = req.params
        if (id === 'me') return account
        if (id === pageId && object === 'instagram') return { id, name, instagram_business_account: account }
        if (id === node) return { id, name }
        const person = state.customers.find((one) => one.id === id)
        if (!person) throw new PageError(100, `Object with ID '${id}' does not exist`, { subcode: 33 })
        const picture = `${core.url}/faces/${encodeURIComponent(person.name)}`
        return { id, name: person.name, username: person.username, profile_pic: picture }
      })
    },
    { prefix: '/:version(^v\\d+\\.\\d+$)' },
  )
  core.app.get<{ Params: { name: string } }>('/cdn/:name', async (req, reply) => {
    const media = state.open(req.params.name)
    if (!media) return reply.code(403).send('URL signature expired')
    return reply.type(media.mimeType).send(media.bytes)
  })
}

const both = ['messages', 'messaging_postbacks', 'message_reactions', 'messaging_optins', 'standby']
const pageFields = new Set([
  ...both,
  ...['message_reads', 'message_deliveries', 'message_echoes', 'message_edits', 'messaging_referrals'],
  ...['messaging_handovers', 'feed'],
])
/** Of an Instagram account without a page. */
const accountFields = new Set([
  ...both,
  ...['messaging_seen', 'message_edit', 'messaging_referral', 'messaging_handover', 'comments', 'mentions'],
])

type IdParam = { Params: { id: string } }

const codeOf = (error: unknown): [number, string, { status: number }?] => {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  const text = error instanceof Error ? error.message : 'unknown'
  return status < 500 ? [100, text, { status }] : [2, text, { status: 500 }]
}
