import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApiClient, urlOf } from './api-client.ts'

const reply = (status: number, body: unknown = {}) => new Response(JSON.stringify(body), { status })
const denied = () => reply(401, { error: 'ERR_SESSION_EXPIRED', message: 'Sessão expirada.', requestId: 'r' })

const setup = (answer: (url: string, token: string | null) => Response | Promise<Response>) => {
  let token: string | null = 'old'
  const calls: { url: string; token: string | null }[] = []
  const deps = {
    warn: vi.fn(),
    fail: vi.fn(),
    goToLogin: vi.fn(),
    session: {
      token: () => token,
      setToken: (next: string) => {
        token = next
      },
      clear: vi.fn(() => {
        token = null
      }),
    },
    fetch: (async (input: RequestInfo | URL, init?: RequestInit) => {
      const sent = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? null
      calls.push({ url: String(input), token: sent })
      return answer(String(input), sent)
    }) satisfies typeof fetch,
  }
  const count = (part: string) => calls.filter((one) => one.url.includes(part)).length
  return { client: createApiClient(deps), deps, calls, count, token: () => token }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('ten calls that meet an expired token share one refresh and are retried with the new token', async () => {
  const { client, count, deps } = setup((url, token) => {
    if (url.includes('refresh_token')) return reply(200, { token: 'new' })
    return token === 'new' ? reply(200, { url }) : denied()
  })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => client.call<{ url: string }>({ path: `/tickets/${n}` })),
  )
  expect(answers.map((one) => one.url)).toEqual(Array.from({ length: 10 }, (_, n) => `/api/tickets/${n}`))
  expect(count('refresh_token')).toBe(1)
  expect(deps.goToLogin).not.toHaveBeenCalled()
})

/** A token that ends so long after the beginning of the test. */
const endingIn = (ms: number, name = '') => `${name}.${btoa(JSON.stringify({ exp: (Date.now() + ms) / 1_000 }))}.x`

test('a token that has ended is renewed before anything is asked with it, once for all who ask', async () => {
  const { client, deps, calls, count } = setup((url) =>
    url.includes('refresh_token') ? reply(200, { token: endingIn(900_000) }) : reply(200),
  )
  const ended = endingIn(-3_600_000)
  deps.session.setToken(ended)
  await Promise.all([client.call({ path: '/a' }), client.call({ path: '/b' })])
  expect(count('refresh_token')).toBe(1)
  expect(calls.filter((one) => one.token === ended).map((one) => one.url)).toEqual(['/api/auth/refresh_token'])
})

test('a token about to end is renewed while calls go on with it', async () => {
  const held = Promise.withResolvers<Response>()
  const { client, deps, calls, token } = setup((url) => (url.includes('refresh_token') ? held.promise : reply(200)))
  const ending = endingIn(50_000)
  deps.session.setToken(ending)
  await client.call({ path: '/a' })
  await client.call({ path: '/b' })
  expect(calls.map((one) => one.url)).toEqual(['/api/auth/refresh_token', '/api/a', '/api/b'])
  held.resolve(reply(200, { token: 'next' }))
  await vi.waitFor(() => expect(token()).toBe('next'))
})

test('a token is renewed ahead once, and again only when there was no network', async () => {
  const answers = [() => Promise.reject(new TypeError('offline')), () => reply(503), () => reply(503)]
  const { client, deps, count } = setup((url) =>
    url.includes('refresh_token') ? (answers.shift() ?? denied)() : reply(200),
  )
  deps.session.setToken(endingIn(-1_000))
  for (const path of ['/a', '/b', '/c'] as const) await client.call({ path })
  expect(count('refresh_token')).toBe(2)
})

test('whether a token has ended is asked of the server’s clock', async () => {
  const { deps, count } = setup(() => reply(200))
  deps.session.setToken(endingIn(900_000))
  const client = createApiClient({ ...deps, nowMs: () => Date.now() + 3_600_000 })
  await client.call({ path: '/a' })
  expect(count('refresh_token')).toBe(1)
})

test('a failed refresh clears the session and goes to login once, 200 ms later', async () => {
  const { client, deps, token } = setup((url) =>
    url.includes('refresh_token') ? reply(401, { error: 'ERR_SESSION_EXPIRED' }) : denied(),
  )
  const outcomes = await Promise.allSettled([client.call({ path: '/a' }), client.call({ path: '/b' })])
  expect(outcomes.every((one) => one.status === 'rejected')).toBe(true)
  expect(token()).toBeNull()
  await vi.advanceTimersByTimeAsync(199)
  expect(deps.goToLogin).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2)
  expect(deps.goToLogin).toHaveBeenCalledTimes(1)
})

test('who logs in again while an answer about the session before is on its way stays in', async () => {
  for (const late of ['/api/auth/refresh_token', '/api/users']) {
    const held = Promise.withResolvers<Response>()
    const { client, deps, token } = setup((url, sent) => {
      if (url === late && (url !== '/api/users' || sent === 'renewed')) return held.promise
      return url.includes('refresh_token') ? reply(200, { token: 'renewed' }) : denied()
    })
    const call = client.call({ path: '/users' })
    await vi.advanceTimersByTimeAsync(1)
    deps.session.setToken('new')
    held.resolve(denied())
    await expect(call).rejects.toMatchObject({ status: 401 })
    expect([late, token()]).toEqual([late, 'new'])
    expect(deps.fail).not.toHaveBeenCalled()
  }
})

test('who logs in again within 200 ms of the end is not led back to the login', async () => {
  const { client, deps } = setup(denied)
  client.endSession()
  deps.session.setToken('new')
  await vi.advanceTimersByTimeAsync(300)
  expect(deps.goToLogin).not.toHaveBeenCalled()
})

test('a 403 that stays a 403 is told to the caller after one refresh, and the session lives', async () => {
  const { client, deps, count } = setup((url) =>
    url.includes('refresh_token')
      ? reply(200, { token: 'new' })
      : reply(403, { error: 'ERR_NO_PERMISSION', message: 'Sem permissão.' }),
  )
  await expect(client.call({ path: '/users' })).rejects.toMatchObject({ status: 403, code: 'ERR_NO_PERMISSION' })
  expect(count('refresh_token')).toBe(1)
  expect(count('/api/users')).toBe(2)
  expect(deps.session.clear).not.toHaveBeenCalled()
})

test('a 401 after the refresh ends the session and says so', async () => {
  const { client, deps } = setup((url) => (url.includes('refresh_token') ? reply(200, { token: 'new' }) : denied()))
  await expect(client.call({ path: '/users' })).rejects.toMatchObject({ status: 401 })
  expect(deps.fail).toHaveBeenCalledWith('Sessão expirada.')
  expect(deps.session.clear).toHaveBeenCalled()
})

test('login, refresh and logout start no refresh and show no toast', async () => {
  const { client, deps, count } = setup((url) =>
    url.includes('login') ? denied() : reply(500, { error: 'ERR_INTERNAL' }),
  )
  await expect(client.call({ method: 'POST', path: '/auth/login/' })).rejects.toMatchObject({ status: 401 })
  await expect(client.call({ method: 'POST', path: '/auth/logout/' })).rejects.toMatchObject({ status: 500 })
  expect(count('refresh_token')).toBe(0)
  expect(deps.warn).not.toHaveBeenCalled()
})

test('a 500 warns with its sentence, or says that it is unknown', async () => {
  const text = 'Não conseguimos criar o atendimento. Tente de novo.'
  const { client, deps } = setup((url) =>
    reply(500, { error: 'ERR_CREATING_TICKET', ...(url.includes('known') && { message: text }) }),
  )
  await expect(client.call({ path: '/known' })).rejects.toThrow()
  await expect(client.call({ path: '/other' })).rejects.toThrow()
  expect(deps.warn).toHaveBeenNthCalledWith(1, text)
  expect(deps.warn).toHaveBeenNthCalledWith(2, 'Ocorreu um erro não identificado.')
})

test('a server that is down during the refresh does not end the session', async () => {
  const { client, token } = setup((url) => (url.includes('refresh_token') ? reply(503) : denied()))
  await expect(client.call({ path: '/a' })).rejects.toMatchObject({ status: 401 })
  expect(token()).toBe('old')
})

test('a bare string, an empty body and 304 are successes', async () => {
  const { client } = setup((url) =>
    url.includes('key') ? new Response('MIIB') : new Response(null, { status: url.includes('same') ? 304 : 204 }),
  )
  expect(await client.call<string>({ path: '/key' })).toBe('MIIB')
  expect(await client.call({ path: '/nothing' })).toBeUndefined()
  expect(await client.call({ path: '/same' })).toBeUndefined()
})

test('lists in a query repeat their name and empty values are left out', () => {
  expect(
    urlOf({
      path: '/tickets',
      query: { status: ['open', 'pending'], searchParam: '', count: true, cursor: undefined },
    }),
  ).toBe('/api/tickets?status=open&status=pending&count=true')
})
