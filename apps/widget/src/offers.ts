import { isPageAmong } from '@balcao/contract/channels/page-address.ts'
import type { SiteLook } from '@balcao/contract/channels/webchat-look.ts'
import { watchPage } from './loader/page-watch.ts'

export type SiteOffer = SiteLook['offers'][number]
type Given = {
  channelKey: string
  /** Whether this visitor may be called now. */
  isFree: () => boolean
  show: (offer: SiteOffer, onDismiss: () => void) => void
}

/** Shows the first message whose page, time and scroll have come; at most one on each page, and none that was sent away. */
export default function offerInTime(offers: SiteOffer[], { channelKey, isFree, show }: Given): void {
  const keyOf = ({ id }: SiteOffer): string => `balcao-offer:${channelKey}:${id}`
  let since = 0
  let isDone = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const look = (): void => {
    clearTimeout(timer)
    if (isDone || document.hidden) return
    const spentS = (Date.now() - since) / 1000
    const waiting = offers.filter(
      (offer) =>
        isPageAmong(offer.addresses, location.href) &&
        !isKept('localStorage', keyOf(offer)) &&
        !isKept('sessionStorage', keyOf(offer)),
    )
    const due = waiting.find(({ afterS, scrollPercent }) => spentS >= afterS && scrolled() >= scrollPercent)
    if (due && isFree()) {
      isDone = true
      if (due.repeat !== 'always') keep(due.repeat === 'once' ? 'localStorage' : 'sessionStorage', keyOf(due))
      show(due, () => keep('sessionStorage', keyOf(due)))
      return
    }
    const later = waiting.map(({ afterS }) => afterS - spentS).filter((leftS) => leftS > 0)
    if (later.length > 0) timer = setTimeout(look, Math.min(...later) * 1000 + 20)
  }
  const begin = (): void => {
    since = Date.now()
    isDone = false
    look()
  }
  begin()
  watchPage(begin)
  addEventListener('scroll', look, { passive: true })
  document.addEventListener('visibilitychange', look)
}

/** How far down the page the visitor has come; one without a scroll bar is seen whole. */
const scrolled = (): number => {
  const { scrollHeight, clientHeight } = document.documentElement
  return scrollHeight > clientHeight ? (scrollY / (scrollHeight - clientHeight)) * 100 + 0.5 : 100
}

type Kept = 'localStorage' | 'sessionStorage'
// A browser that keeps nothing, or throws at the very name, shows it on every page: `isDone` still holds for this one.
const isKept = (where: Kept, key: string): boolean => {
  try {
    return window[where].getItem(key) !== null
  } catch {
    return false
  }
}
const keep = (where: Kept, key: string): void => {
  try {
    window[where].setItem(key, '1')
  } catch {} // as above
}
