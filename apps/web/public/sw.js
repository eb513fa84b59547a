// Offline shell and web push. __BUILD__ is replaced at build time, so that every build is a new worker.
const build = '__BUILD__'
const cacheName = `balcao-${build}`
const shell = '/'

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.add(new Request(shell, { cache: 'reload' })))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  const old = (name) => name.startsWith('balcao-') && name !== cacheName
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

// Assets are the browser's to keep: named by their content, they are fresh for a year, without a network too.
self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') event.respondWith(fromNetworkThenShell(request, url))
})

// Pages of the app only: the API reference, the health page and the hooks are not ours to answer.
const isAppPage = (url) => !/^\/(api|hooks|socket\.io|health|ready|metrics|widget|webchat|media)/.test(url.pathname)

const fromNetworkThenShell = async (request, url) => {
  try {
    const reply = await fetch(request)
    if (reply.ok && isAppPage(url)) (await caches.open(cacheName)).put(shell, reply.clone())
    return reply
  } catch (error) {
    const kept = isAppPage(url) && (await caches.match(shell))
    if (kept) return kept
    throw error
  }
}

self.addEventListener('push', (event) => event.waitUntil(show(readPush(event.data))))

// A window that is open but not looked at has it shown here too: only the worker sees all of them.
self.addEventListener('message', (event) => {
  if (event.data?.show) event.waitUntil(show(event.data.show))
})

const readPush = (data) => {
  try {
    return data?.json() ?? {}
  } catch {
    return { body: data.text() }
  }
}

const windows = async () => {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return all.filter((one) => isAppPage(new URL(one.url)))
}

const show = async ({
  title = 'Balcão',
  body = 'Você tem um aviso novo.',
  url = '/',
  tag,
  userId,
  replyTo,
  ticketId,
}) => {
  if ((await windows()).some((one) => one.focused && one.visibilityState === 'visible')) return
  const reply = { action: 'reply', type: 'text', title: 'Responder', placeholder: 'Sua resposta' }
  await self.registration.showNotification(title, {
    body,
    tag,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    lang: 'pt-BR',
    data: { url, userId, replyTo, ticketId: ticketId ?? replyTo ?? ticketIn(url) },
    actions: replyTo ? [reply] : [],
  })
}
const ticketIn = (url) => /^\/atendimento\/([\w-]+)/.exec(url)?.[1] ?? null

self.addEventListener('notificationclick', (event) => {
  const { notification, action, reply } = event
  const data = notification.data ?? {}
  notification.close()
  // Where the browser has no field of its own the composer is one.
  event.waitUntil(action === 'reply' && reply?.trim() ? answer(data, reply.trim()) : open(data))
})

// The window that is there goes to the page by itself: what is being written in it stays.
const open = async ({ url = '/', ticketId = null, text = null }) => {
  const target = new URL(url, self.location.origin)
  if (target.origin !== self.location.origin) return
  const there = await windows()
  const first = there.find((one) => one.visibilityState === 'visible') ?? there[0]
  const page = first ? await first.focus() : await self.clients.openWindow(target.href)
  if (first || text) page?.postMessage({ open: target.pathname + target.search, ticketId, text })
}

// One id for all attempts: whatever arrived twice is one message.
const answer = async (data, text) => {
  const id = crypto.randomUUID()
  const left = await send(data, { id, type: 'text', body: text, sign: 'preferred' }).catch(() => false)
  if (left) return
  await self.registration.showNotification('Sua resposta não saiu. Toque para terminar.', {
    body: text,
    tag: `reply:${data.replyTo}`,
    icon: '/icon-192.png',
    lang: 'pt-BR',
    data: { ...data, text },
  })
}

const send = async ({ replyTo, userId }, message) => {
  for (const waitMs of [0, 1_000, 3_000]) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    try {
      const token = await freshToken()
      if (!token || subjectOf(token) !== userId) return false // somebody else is logged in now
      const reply = await post(`/api/messages/${replyTo}`, message, { authorization: `Bearer ${token}` })
      if (reply.ok) return true
      if (reply.status < 500 && reply.status !== 429) return false
    } catch {
      // No network, or no answer: the same again.
    }
  }
  return false
}

// In turn with the windows: a session's token is exchanged by one at a time.
const freshToken = async () => {
  const renew = async () => {
    const reply = await post('/api/auth/refresh_token', {})
    return reply.ok ? (await reply.json()).token : null
  }
  return self.navigator.locks ? self.navigator.locks.request('balcao-refresh', renew) : renew()
}
const post = (url, body, headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    credentials: 'same-origin',
  })
const subjectOf = (token) => JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))).sub
