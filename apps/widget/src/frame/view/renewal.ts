import { useRef, useState } from 'preact/hooks'
import type { Media } from '../api.ts'
import { safeUrl } from '../files.ts'

/** Asks for the address a file has now. */
export type Renew = () => Promise<Media | undefined>

const onceInMs = 60_000

/** A file that fails to load may only have an old address: asked for anew once, and then taken for broken. */
export const useRenewal = (url: string, renew: Renew) => {
  const [brokenUrl, setBrokenUrl] = useState<string>()
  const renewedAt = useRef(0)
  const fail = async (): Promise<void> => {
    const isNew = Date.now() - renewedAt.current < onceInMs
    renewedAt.current = Date.now()
    const media = isNew ? undefined : await renew()
    if (!media || media.url === url) setBrokenUrl(url)
  }
  return { isBroken: brokenUrl === url, fail }
}

/** A link to a file, followed at the address it has now. */
export const openRenewed = async (event: MouseEvent, renew: Renew): Promise<void> => {
  const link = event.currentTarget
  if (!(link instanceof HTMLAnchorElement) || !event.isTrusted) return // our own click below
  event.preventDefault()
  const media = await renew()
  link.href = (media && safeUrl(media.url)) ?? link.href
  link.click()
}
