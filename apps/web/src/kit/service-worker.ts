/** The states of spec §4. `updated` reloads the page by itself. */
type WorkerState = 'none' | 'registered' | 'ready' | 'cached' | 'update found' | 'updated' | 'offline' | 'error'

let state: WorkerState = 'none'

/** Registers /sw.js; on localhost first makes sure that the file is there and is JavaScript, else removes what is registered. */
export const registerServiceWorker = async () => {
  if (!('serviceWorker' in navigator)) return
  try {
    if (isLocalhost() && !(await isScriptThere())) return
    const controlled = Boolean(navigator.serviceWorker.controller)
    const registration = await navigator.serviceWorker.register('/sw.js')
    setState('registered')
    registration.addEventListener('updatefound', () => {
      if (controlled) setState('update found')
      registration.installing?.addEventListener('statechange', (event) => {
        if (event.target instanceof ServiceWorker && event.target.state === 'installed' && !controlled)
          setState('cached')
      })
    })
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      if (!controlled) return
      setState('updated')
      reloadWhenQuiet()
    })
    await navigator.serviceWorker.ready
    if (state === 'registered') setState('ready')
  } catch {
    setState(navigator.onLine ? 'error' : 'offline')
  }
}

/** The new version takes over at once, but never under someone's fingers. */
const reloadWhenQuiet = () => {
  if (!isTyping() || document.hidden) return window.location.reload()
  setTimeout(reloadWhenQuiet, 5_000)
}

const isTyping = () => {
  const field = document.activeElement
  const text =
    field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
      ? field.value
      : field?.matches('[contenteditable]') && field.textContent
  return Boolean(text)
}

const isLocalhost = () => ['localhost', '127.0.0.1', '[::1]'].includes(window.location.hostname)

const isScriptThere = async () => {
  try {
    const reply = await fetch('/sw.js', { cache: 'no-store' })
    const isScript = reply.headers.get('content-type')?.includes('javascript') ?? false
    if (reply.status !== 404 && isScript) return true
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.unregister()
  } catch {
    setState('offline')
    return true // no network says nothing about the file
  }
  return false
}

/** Shown on the page's root element, where support and tests can read it. */
const setState = (next: WorkerState) => {
  state = next
  document.documentElement.dataset.worker = next
}
