import type { PageCustomer, PageOptions, PageSimulator } from '@balcao/simulators/meta.ts'
import type { Harness } from '../conformance.stage.ts'
import type { PageKind } from './page.ts'

export const secrets = {
  accessToken: 'EAAB-token-da-pagina-0123456789',
  appSecret: 'segredo-do-aplicativo-de-teste',
  verifyToken: 'palavra-de-verificacao',
}
export const [pageId, instagramId] = ['108424279189115', '17841400008460056']

export const calm: Pick<PageOptions, 'delivery'> = { delivery: { retryDelaysMs: [] } }

/** What a page and an Instagram account show alike, for the conformance suite. */
export const harnessOf = (kind: PageKind, simulator: PageSimulator, account: string) => {
  const customer = simulator.customer({ id: '7410258963012345', name: 'Ana Souza', username: 'ana.souza' })
  customer.lastInboundAt = Date.now() // the window is open
  return {
    simulator,
    customer,
    window: { close: () => closed(customer) },
    ownPhone: { write: (text) => simulator.echo(customer, text) },
    comment: { write: (text) => customer.comment(text) },
    echo: true,
    hasNoMarks: true,
    mediaByAddress: true,
    filesByAddress: true,
    pressesAreLoose: true,
    hookSecret: 'segredo-do-gancho',
    to: [{ kind, value: `${account}:${customer.id}` }],
    listen: (url) => simulator.setWebhook(url),
    providerIdOf: ({ id }) => id,
    post: async (body, signature) => {
      const given = { right: undefined, missing: null, wrong: `sha256=${'0'.repeat(64)}` }[signature]
      return (await simulator.postRaw(body, { signature: given })).status
    },
    sign: (body) => ({ 'x-hub-signature-256': simulator.sign(body) }),
    isSend: ({ method, path, body }) =>
      method === 'POST' && path.endsWith('/messages') && typeof body === 'object' && body !== null && 'message' in body,
    revoke: () => {
      simulator.setAccessToken('outro')
      return () => simulator.setAccessToken(secrets.accessToken)
    },
    refusals,
  } satisfies Omit<Harness<PageKind>, 'kind' | 'adapter' | 'config' | 'fixtures'>
}

const closed = (customer: PageCustomer) => {
  customer.lastInboundAt = undefined
  return () => {
    customer.lastInboundAt = Date.now()
  }
}

const refused = (status: number, code: number, error_subcode?: number) => ({
  status,
  body: { error: { message: `(#${code}) x`, type: 'OAuthException', code, error_subcode } },
})
const broken = { outcome: 'final', isConnectionBroken: true, isUnreachable: false } as const
const final = { outcome: 'final', isConnectionBroken: false, isUnreachable: false } as const
const retry = { outcome: 'retry', isConnectionBroken: false } as const
type Refusals = Harness<PageKind>['refusals']
const refusals: Refusals = [
  ['190 the token was revoked', refused(401, 190), broken],
  ...[10, 200, 230, 299].map((code): Refusals[number] => [
    `${code} a permission is missing`,
    refused(403, code),
    broken,
  ]),
  ['10 with the subcode of the window', refused(403, 10, 2018278), final],
  ...[4, 17, 32, 613].map((code): Refusals[number] => [`${code} rate`, refused(400, code), retry]),
  [
    'a rate with Retry-After',
    { ...refused(429, 613), headers: { 'retry-after': '30' } },
    { ...retry, retryAfterMs: 30_000 },
  ],
  ['100 refused', refused(400, 100), final],
  ['10900 the comment was answered', refused(400, 10900), final],
  ['551 the person is not available', refused(400, 551), { ...final, isUnreachable: true }],
  ['a code nobody knows, 4xx', refused(400, 999_999), final],
  ['a code nobody knows, 5xx', refused(500, 2), retry],
  ['200 with an error inside', refused(200, 551), { ...final, isUnreachable: true }],
]

export const common: Record<string, string> = {
  album: 'message:image + message:image',
  'attachment-of-no-kind': 'message:unsupported',
  audio: 'message:audio',
  batch: 'message:text | message:text | reaction',
  comment: 'message:text',
  deleted: 'delete',
  echo: '~message:text',
  'echo-of-app': '~message:text',
  file: 'message:document',
  image: 'message:image',
  'image-with-text': 'message:image',
  'message-of-nothing': 'unknown',
  'pass-thread-control': 'nothing',
  postback: 'message:text',
  'quick-reply': 'message:text',
  reaction: 'reaction',
  'reaction-named': 'reaction',
  'reaction-removed': 'reaction:none',
  referral: 'nothing',
  share: 'message:text',
  standby: 'message:text',
  text: 'message:text',
  'text-reply': 'message:text',
  'unknown-event': 'unknown',
  unsupported: 'message:unsupported',
  video: 'message:video',
}
