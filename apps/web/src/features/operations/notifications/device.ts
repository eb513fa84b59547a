import { tagOf } from '@balcao/contract/operations/notices.ts'
import type { Notification } from '@balcao/contract/operations/notifications.ts'
import type { pushKey } from '@balcao/contract/operations/push.ts'
import { useSyncExternalStore } from 'react'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { notify } from '../../../ui/notify.ts'

/** How this browser stands: it cannot, nobody was asked, the person said no, turned it off here, or it tells. */
export type DeviceState = 'unsupported' | 'unasked' | 'denied' | 'off' | 'on'

const offKey = 'avisosDesligados'
const offeredKey = 'avisosOferecidos'
const listeners = new Set<() => void>()

export const deviceState = (): DeviceState => {
  if (!('Notification' in window) || !('serviceWorker' in navigator)) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  if (Notification.permission === 'default') return 'unasked'
  return localStorage.getItem(offKey) ? 'off' : 'on'
}
export const useDevice = () => useSyncExternalStore(subscribe, deviceState)

/** Asks the browser, which asks the person: only ever from a click. */
export const enableDevice = async (): Promise<DeviceState> => {
  if ((await Notification.requestPermission()) === 'granted') {
    localStorage.removeItem(offKey)
    keepPushes()
  }
  changed()
  return deviceState()
}

export const disableDevice = async () => {
  localStorage.setItem(offKey, '1')
  changed()
  await stopPushes()
}

/** Shown by the service worker, which sees all windows: only when none of them is looked at. */
export const showOnDesktop = (notification: Notification) => {
  if (deviceState() !== 'on') return
  const { title, body, link, ticketId } = notification
  void navigator.serviceWorker
    .getRegistration()
    .then((registration) =>
      registration?.active?.postMessage({ show: { title, body, url: link, tag: tagOf(notification), ticketId } }),
    )
}

/** The first notice that arrives here may ask, once; after that the bell does. */
export const offerOnce = () => {
  if (deviceState() !== 'unasked' || document.hidden || localStorage.getItem(offeredKey)) return
  localStorage.setItem(offeredKey, '1')
  notify.info('Quer saber também quando esta janela não estiver à vista?', {
    label: 'Receber avisos no computador',
    onClick: () => void enableDevice(),
  })
}
/** "Agora não": the bell asks no more on this device; the preferences still can. */
export const isDeclined = () => localStorage.getItem(offeredKey) === 'nao'
export const decline = () => {
  localStorage.setItem(offeredKey, 'nao')
  changed()
}
export const useIsDeclined = () => useSyncExternalStore(subscribe, isDeclined)

/** Where the person agreed, this browser is pushed to for whoever is logged in now. Without a push service windows still tell. */
export const keepPushes = () => {
  if (deviceState() === 'on') void startPushes().catch(() => undefined)
}

const startPushes = async () => {
  const registration = await navigator.serviceWorker.getRegistration()
  if (!registration?.pushManager) return
  const { publicKey } = await api.get<z.output<typeof pushKey>>('/push/key', { quiet: true })
  const known = await registration.pushManager.getSubscription()
  const isOurs = known && asText(known.options.applicationServerKey) === publicKey
  if (known && !isOurs) await known.unsubscribe()
  const subscription = isOurs
    ? known
    : await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = subscription.toJSON()
  const body = { endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } }
  await api.post('/push/subscriptions', body, { quiet: true })
}

/** Nothing of this person comes here any more. */
export const stopPushes = async () => {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    await (await registration?.pushManager?.getSubscription())?.unsubscribe()
  } catch {
    // The server stops by itself with the session.
  }
}

const asText = (key: ArrayBuffer | null) =>
  key &&
  btoa(String.fromCharCode(...new Uint8Array(key)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const changed = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('focus', listener) // the permission changes in the browser's own settings
  return () => {
    listeners.delete(listener)
    window.removeEventListener('focus', listener)
  }
}
