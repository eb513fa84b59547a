import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { SiteCheck } from '@balcao/contract/intake/webchat.ts'
import { env } from '../../../env.ts'
import type { Actor } from '../../../kit/actor.ts'
import { checkEgressUrl, EgressError, type HttpAnswer, http } from '../../../kit/egress.ts'
import { AppError } from '../../../kit/errors.ts'
import { reserveAttempt } from '../../people/auth/attempts.ts'
import { findWebchat, isAllowedSite, type Webchat } from './site.ts'
import { refusedBy } from './site-policy.ts'

const ours = new URL(env.PUBLIC_URL).origin
const maxBytes = 3_000_000
const redirectsAtMost = 5

/** Reads a page of the company's site as a visitor's browser would, and tells what keeps the chat from showing there. */
export const checkSite = async (actor: Actor, connectionId: string, address: string): Promise<SiteCheck> => {
  const webchat = await requireWebchat(actor, connectionId)
  const reached = await reserveAttempt([{ scope: 'site-check', key: actor.userId, max: 10, windowS: 60 }])
  if (reached) throw new AppError('ERR_TOO_MANY', { retryAfterS: reached.retryAfterS })
  const page = await readPage(address)
  const isAllowed = isAllowedSite(new URL(page.url).origin, webchat.config)
  if (!page.answer) return { url: page.url, snippet: 'unreachable', status: page.status, isAllowed, refused: [] }

  const html = withoutComments(textOf(page.answer))
  const scripts = tagsOf(html, 'script', 'widget.js').filter((tag) => isOurs(tag.src, page.url))
  const own = scripts.find((tag) => tag['data-channel'] === webchat.channelKey)
  return {
    url: page.url,
    snippet: own
      ? 'found'
      : scripts.length === 0
        ? 'missing'
        : (await isOfCompany(actor, scripts))
          ? 'otherChat'
          : 'otherCompany',
    status: page.answer.status,
    isAllowed,
    refused: refusedBy({ policies: policiesOf(page.answer, html), page: page.url, ours, nonce: own?.nonce }),
  }
}

/** A web chat of the actor's company. Throws ERR_NO_WAPP_FOUND. */
export const requireWebchat = async ({ tenantId }: Actor, id: string): Promise<Webchat> => {
  const webchat = await findWebchat({ id })
  if (webchat?.tenantId !== tenantId) throw new AppError('ERR_NO_WAPP_FOUND')
  return webchat
}

type Page = { url: string; status: number | null; answer?: HttpAnswer }
const readPage = async (address: string): Promise<Page> => {
  let url = checkEgressUrl(address).href
  for (let left = redirectsAtMost; ; left -= 1) {
    let answer: HttpAnswer
    try {
      answer = await http(url, {
        timeoutMs: 10_000,
        maxBytes,
        headers: {
          accept: 'text/html',
          'accept-encoding': 'gzip, br, deflate',
          'user-agent': 'Mozilla/5.0 (Balcao; verificacao do chat)',
        },
      })
    } catch (error) {
      if (error instanceof EgressError) return { url, status: null }
      throw error
    }
    const { location } = answer.headers
    if (answer.status < 300) return { url, status: answer.status, answer }
    if (answer.status >= 400 || !location || !URL.canParse(location, url) || left === 0)
      return { url, status: answer.status }
    url = checkEgressUrl(new URL(location, url).href).href
  }
}

const textOf = ({ bytes, headers }: HttpAnswer): string => {
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }[headers['content-encoding'] ?? '']
  try {
    return (unpack ? unpack(bytes, { maxOutputLength: maxBytes }) : bytes).toString('utf8')
  } catch {
    return '' // packed otherwise than it says
  }
}

const policiesOf = ({ headers }: HttpAnswer, html: string): string[] => [
  ...(headers['content-security-policy']?.split(',') ?? []),
  ...tagsOf(html, 'meta', 'content-security-policy').flatMap((tag) =>
    tag['http-equiv']?.toLowerCase() === 'content-security-policy' && tag.content ? [tag.content] : [],
  ),
]

const isOurs = (src: string | undefined, page: string) => {
  if (!src || !URL.canParse(src, page)) return false
  const { origin, pathname } = new URL(src, page)
  return origin === ours && pathname === '/widget.js'
}

const isOfCompany = async (actor: Actor, scripts: Attributes[]) => {
  for (const { 'data-channel': channelKey = '' } of scripts.slice(0, 5))
    if ((await findWebchat({ channelKey }))?.tenantId === actor.tenantId) return true
  return false
}

const withoutComments = (html: string): string => {
  const [first = '', ...rest] = html.split('<!--')
  return (
    first + rest.map((part) => part.slice(part.indexOf('-->') < 0 ? part.length : part.indexOf('-->') + 3)).join('')
  )
}

type Attributes = Record<string, string | undefined>
const longestTag = 5_000
const mostTags = 1_000

/**
 * The attributes of the tags of a name that speak of something. No parser, which may fail on the pages there are, and no
 * pattern over the whole of it, which a page could make to run for ever.
 */
const tagsOf = (html: string, name: string, about: string): Attributes[] => {
  const found: Attributes[] = []
  for (const { index } of Array.from(html.matchAll(new RegExp(`<${name}\\b`, 'gi'))).slice(0, mostTags)) {
    const inside = insideOf(html.slice(index + name.length + 1, index + longestTag))
    if (inside?.toLowerCase().includes(about)) found.push(attributesOf(inside))
  }
  return found
}

/** Up to the end of the tag, which no quoted > is. */
const insideOf = (text: string): string | undefined => {
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (quote) quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return text.slice(0, at)
  }
  return undefined
}

const attributesOf = (inside: string): Attributes =>
  Object.fromEntries(
    Array.from(
      inside.matchAll(/([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g),
      ([, key = '', quoted, single, bare]) => [key.toLowerCase(), plain(quoted ?? single ?? bare ?? '')],
    ),
  )

const plain = (text: string) =>
  text.replace(/&(amp|quot|#39|#x27|lt|gt);/gi, (entity) => entities[entity.toLowerCase()] ?? entity)
const entities: Record<string, string> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
}
