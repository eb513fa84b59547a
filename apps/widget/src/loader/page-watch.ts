import type { HostPage } from '../protocol.ts'

export const currentPage = (): HostPage => ({
  url: location.href.slice(0, 2000),
  title: document.title.slice(0, 300),
  ...(isFromElsewhere(document.referrer) && { referrer: document.referrer.slice(0, 2000) }),
})

const isFromElsewhere = (address: string): boolean => address !== '' && !address.startsWith(`${location.origin}/`)

/** Calls back when the visitor reaches another page without a reload. History is observed, never patched. */
export const watchPage = (onChange: (page: HostPage) => void): void => {
  let lastUrl = location.href
  const check = (): void => {
    if (location.href === lastUrl) return
    lastUrl = location.href
    setTimeout(() => onChange(currentPage()), 300) // routers set the title after the address
  }
  addEventListener('popstate', check)
  addEventListener('hashchange', check)
  const navigation: unknown = Reflect.get(window, 'navigation')
  if (navigation instanceof EventTarget) navigation.addEventListener('navigatesuccess', check)
  else setInterval(check, 2000)
}
