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

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') event.respondWith(fromNetworkThenShell(request, url))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(fromCacheThenNetwork(request))
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

// Names of assets carry their content's hash: what is kept never grows stale.
const fromCacheThenNetwork = async (request) => {
  const kept = await caches.match(request)
  if (kept) return kept
  const reply = await fetch(request)
  if (reply.ok) (await caches.open(cacheName)).put(request, reply.clone())
  return reply
}

self.addEventListener('push', (event) => {
  const read = () => {
    try {
      return event.data ? event.data.json() : {}
    } catch {
      return { body: event.data.text() }
    }
  }
  const { title = 'Balcão', body = 'Você tem uma nova mensagem.', url = '/', tag } = read()
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      icon: '/icon-192.png',
      badge: '/icon-192.png',
      lang: 'pt-BR',
      data: { url },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const target = new URL(event.notification.data?.url ?? '/', self.location.origin)
  if (target.origin !== self.location.origin) return
  event.waitUntil(openOrFocus(target.href))
})

const openOrFocus = async (href) => {
  const [open] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (!open) return self.clients.openWindow(href)
  await open.focus()
  return open.navigate(href)
}
