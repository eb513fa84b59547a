import { afterEach, beforeEach, expect, test, vi } from 'vitest'

class Target extends EventTarget {
  state = 'installing'
}
let worker: ReturnType<typeof browser>
const reload = vi.fn()

/** As much of a browser as a registration needs. */
const browser = ({ hostname = 'localhost', reply = script, onLine = true, controller = null as unknown } = {}) => {
  const registration = Object.assign(new EventTarget(), {
    installing: new Target(),
    active: controller,
    unregister: vi.fn(async () => true),
    update: vi.fn(async () => undefined),
  })
  const container = Object.assign(new EventTarget(), {
    controller,
    ready: Promise.resolve(registration),
    register: vi.fn(async () => registration),
    getRegistration: async () => registration,
  })
  const page = Object.assign(new EventTarget(), { location: { hostname, reload } })
  const root = { dataset: {} as Record<string, string> }
  vi.stubGlobal('navigator', { serviceWorker: container, onLine })
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', { documentElement: root, hidden: false, activeElement: null })
  vi.stubGlobal('HTMLTextAreaElement', class {})
  vi.stubGlobal('HTMLInputElement', class {})
  vi.stubGlobal('fetch', async () => reply)
  return { registration, container, page, state: () => root.dataset.worker }
}
const script = new Response('', { headers: { 'content-type': 'text/javascript' } })

const register = async (given?: Parameters<typeof browser>[0]) => {
  worker = browser(given)
  vi.resetModules()
  await (await import('./service-worker.ts')).registerServiceWorker()
}
beforeEach(() => {
  vi.useFakeTimers()
  reload.mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  ['is missing', new Response('', { status: 404, headers: { 'content-type': 'text/javascript' } })],
  ['is not JavaScript', new Response('', { headers: { 'content-type': 'text/html' } })],
])('on localhost what is registered goes when the file %s', async (_what, reply) => {
  await register({ reply })
  expect(worker.registration.unregister).toHaveBeenCalledOnce()
  expect(worker.container.register).not.toHaveBeenCalled()
})

test('elsewhere the file is not asked about first', async () => {
  await register({ hostname: 'balcao.exemplo.com.br', reply: new Response('', { status: 404 }) })
  expect(worker.registration.unregister).not.toHaveBeenCalled()
  expect(worker.state()).toBe('ready')
})

test('the first worker takes over without a reload; the next one reloads the page, even one open since the first', async () => {
  await register()
  const { registration, container } = worker
  registration.dispatchEvent(new Event('updatefound'))
  registration.installing.state = 'installed'
  registration.installing.dispatchEvent(new Event('statechange'))
  expect(worker.state()).toBe('cached')
  container.dispatchEvent(new Event('controllerchange'))
  expect(reload).not.toHaveBeenCalled()

  registration.active = {}
  registration.dispatchEvent(new Event('updatefound'))
  expect(worker.state()).toBe('update found')
  container.dispatchEvent(new Event('controllerchange'))
  expect(worker.state()).toBe('updated')
  expect(reload).toHaveBeenCalledOnce()
})

test('a new version waits for what a form has not saved', async () => {
  await register({ controller: {} })
  const warn = (event: Event) => event.preventDefault()
  worker.page.addEventListener('beforeunload', warn)
  worker.container.dispatchEvent(new Event('controllerchange'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).not.toHaveBeenCalled()
  worker.page.removeEventListener('beforeunload', warn)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reload).toHaveBeenCalledOnce()
})

test('a window left open asks for a new version by itself', async () => {
  await register()
  await vi.advanceTimersByTimeAsync(2 * 60 * 60_000)
  expect(worker.registration.update).toHaveBeenCalledTimes(2)
})

test('without a network it says so, and says when it is back; what cannot be registered is an error', async () => {
  await register({ hostname: 'balcao.exemplo.com.br', onLine: false, controller: {} })
  expect(worker.state()).toBe('offline')
  worker.page.dispatchEvent(new Event('online'))
  expect(worker.state()).toBe('ready')
  worker.page.dispatchEvent(new Event('offline'))
  expect(worker.state()).toBe('offline')

  worker = browser({ hostname: 'balcao.exemplo.com.br' })
  worker.container.register.mockRejectedValue(new Error('no'))
  vi.resetModules()
  await (await import('./service-worker.ts')).registerServiceWorker()
  expect(worker.state()).toBe('error')
})
