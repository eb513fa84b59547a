import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'

const source = readFileSync(new URL('../../public/sw.js', import.meta.url), 'utf8')
const origin = 'https://balcao.exemplo.com.br'
type Handler = (event: Record<string, unknown>) => void

/** The worker itself, in as much of a browser as it needs. */
const worker = ({ windows = [] as object[], fetch = vi.fn() } = {}) => {
  const handlers = new Map<string, Handler>()
  const showNotification = vi.fn(async (_title: string, _options: object) => undefined)
  const openWindow = vi.fn(async (_url: string) => page('/atendimento'))
  const clients = { matchAll: async () => windows, openWindow, claim: async () => undefined }
  const self = {
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    location: { origin },
    registration: { showNotification },
    clients,
    navigator: {},
  }
  const timers = { setTimeout: (work: () => void) => queueMicrotask(work) }
  runInNewContext(source, { self, URL, fetch, crypto, atob, caches: {}, ...timers })
  const fire = async (name: string, event: object) => {
    let work: Promise<unknown> = Promise.resolve()
    handlers.get(name)?.({
      ...event,
      waitUntil: (given: Promise<unknown>) => {
        work = given
      },
    })
    await work
  }
  return { fire, showNotification, openWindow }
}
const page = (path: string, more: object = {}) => {
  const one = { url: `${origin}${path}`, focused: false, visibilityState: 'hidden', postMessage: vi.fn(), ...more }
  return Object.assign(one, { focus: vi.fn(async () => one) })
}
const pushed = {
  title: 'Maria Alves',
  body: 'Oi',
  url: '/atendimento/1',
  tag: 'message:1',
  userId: 'ana',
  replyTo: '1',
}
const push = (payload: object = pushed) => ({ data: { json: () => payload } })
const clicked = (more: object = {}) => {
  const notification = { close: vi.fn(), data: { url: '/atendimento/1', userId: 'ana', replyTo: '1', ticketId: '1' } }
  return { notification, action: '', ...more }
}
const token = (sub: string) => `x.${btoa(JSON.stringify({ sub }))}.x`
const json = (body: object, status = 200) => ({ ok: status < 300, status, json: async () => body })

test('shown while no window is looked at, with an answer to what can be answered', async () => {
  const { fire, showNotification } = worker({ windows: [page('/contatos', { visibilityState: 'visible' })] })
  await fire('push', push())
  expect(showNotification).toHaveBeenCalledWith('Maria Alves', expect.objectContaining({ tag: 'message:1' }))
  expect(showNotification.mock.calls[0]?.[1]).toMatchObject({ actions: [{ action: 'reply', type: 'text' }] })
  await fire('message', { data: { show: { ...pushed, replyTo: null } } })
  expect(showNotification.mock.calls[1]?.[1]).toMatchObject({ actions: [] })
})

test('not shown to whoever looks at a window; a page that is not the app does not count', async () => {
  const looked = { focused: true, visibilityState: 'visible' }
  const inside = worker({ windows: [page('/contatos', looked)] })
  await inside.fire('push', push())
  expect(inside.showNotification).not.toHaveBeenCalled()
  const outside = worker({ windows: [page('/api/docs', looked)] })
  await outside.fire('push', push())
  expect(outside.showNotification).toHaveBeenCalledOnce()
})

test('a click opens the conversation in the window that is there; without one a new one opens', async () => {
  const there = page('/contatos')
  const one = worker({ windows: [page('/api/docs'), there] })
  await one.fire('notificationclick', clicked())
  expect(there.focus).toHaveBeenCalledOnce()
  expect(there.postMessage).toHaveBeenCalledWith({ open: '/atendimento/1', ticketId: '1', text: null })
  expect(one.openWindow).not.toHaveBeenCalled()
  const none = worker()
  await none.fire('notificationclick', clicked())
  expect(none.openWindow).toHaveBeenCalledWith(`${origin}/atendimento/1`)
})

test('an answer typed into the notification is sent under one id, however often it is tried', async () => {
  const fetch = vi.fn(async (url: string, _request: { body: string }) => {
    if (url === '/api/auth/refresh_token') return json({ token: token('ana') })
    if (fetch.mock.calls.length < 4) throw new Error('no network')
    return json({})
  })
  const { fire, showNotification } = worker({ fetch })
  await fire('notificationclick', clicked({ action: 'reply', reply: ' Já vejo ' }))
  const sent = fetch.mock.calls.filter(([url]) => url === '/api/messages/1').map(([, { body }]) => JSON.parse(body))
  expect(sent).toHaveLength(2)
  expect(sent[0]).toMatchObject({ type: 'text', body: 'Já vejo', sign: 'preferred' })
  expect(sent[1].id).toBe(sent[0].id)
  expect(showNotification).not.toHaveBeenCalled()
})

test('an answer that cannot leave is kept: refused, or somebody else is logged in', async () => {
  for (const [sub, status] of [
    ['ana', 409],
    ['bruno', 200],
  ] as const) {
    const fetch = vi.fn(async (url: string) =>
      url === '/api/auth/refresh_token' ? json({ token: token(sub) }) : json({}, status),
    )
    const { fire, showNotification } = worker({ fetch })
    await fire('notificationclick', clicked({ action: 'reply', reply: 'Já vejo' }))
    expect(showNotification.mock.calls[0]?.[1]).toMatchObject({ body: 'Já vejo', data: { text: 'Já vejo' } })
    expect(fetch).not.toHaveBeenCalledWith('/api/messages/2', expect.anything())
    if (sub === 'bruno') expect(fetch).toHaveBeenCalledOnce()
  }
})

test('without a field of the browser, answering opens the conversation', async () => {
  const there = page('/contatos')
  const { fire } = worker({ windows: [there] })
  await fire('notificationclick', clicked({ action: 'reply' }))
  expect(there.postMessage).toHaveBeenCalledWith({ open: '/atendimento/1', ticketId: '1', text: null })
})
