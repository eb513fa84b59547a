import { contentIdOf } from '../../../kit/text.ts'
import { cleanHtml, folded } from './clean-html.ts'

export type MailToShow = {
  /** All of it; or, where no more is shown at first, as much and one letter more. */
  html: string
  /** By Content-ID: an address of ours, or the picture itself. */
  pictures: Record<string, string>
  /** Pictures of other servers, who learn from it that the mail was read. */
  isWithRemote: boolean
  /** All of it, however long. */
  isWhole: boolean
}
export type ShownMail = { page: string }

/** So much of a mail is shown at first: more than nearly all have, and what a browser lays out at once. */
export const shownAtFirst = 250_000

/** A formatted mail as a page that holds nothing but it: for a frame that runs nothing. */
export const shownMail = ({ html, pictures, isWithRemote, isWhole }: MailToShow): ShownMail => {
  // Cut right behind its sign, the next tag would be a word.
  const given = isWhole ? html : html.slice(0, shownAtFirst).replace(/<\/?$/, '')
  let remote = 0
  const draw = (source: string) => {
    if (/^cid:/i.test(source)) return pictures[contentIdOf(source.slice(4))]
    if (/^data:image\/(png|jpe?g|gif|webp);base64,[a-z\d+/=\s]*$/i.test(source)) return source
    if (!/^(https?:)?\/\//i.test(source)) return undefined
    remote += 1
    return isWithRemote ? source.replace(/^\/\//, 'https://') : undefined
  }
  const [said, quoted] = apart(given)
  const fold = { draw, foldQuotes: true }
  const body = cleanHtml(said, fold) + (quoted ? `<${folded}>${cleanHtml(quoted, { draw })}</${folded}>` : '')
  const isPlain = !/<(img|table)\b|background|bgcolor|(^|[\s";])color\s*[:=]/i.test(body)
  const facts = [
    remote > 0 && !isWithRemote && `data-remote="${remote}"`,
    given.length < html.length && 'data-more',
    isPlain && 'data-plain',
  ].filter(Boolean)
  return { page: `<!doctype html><html lang="pt-BR" ${facts.join(' ')}>${head}<body>${withFolds(body)}</body></html>` }
}

/** Programs that put what they answer after their own words, in no element of its own. */
const apart = (html: string): [said: string, quoted: string | undefined] => {
  const at = html.search(
    /<div[^>]{0,200}\bid=["']?(appendonsend|divRplyFwdMsg|OLK_SRC_BODY_SECTION)\b|<div[^>]{0,100}style=["'][^"'>]{0,100}border-top:\s*solid #(E1E1E1|B5C4DF) 1\.0pt/i,
  )
  return at < 0 ? [html, undefined] : [html.slice(0, at), html.slice(at)]
}

/** The outermost quote folds. A mail that says nothing but what it quotes was forwarded: it stands open. */
const withFolds = (body: string): string => {
  let depth = 0
  return body.replace(/<(\/?)details>/g, (_all, closes: string, at: number) => {
    if (closes) depth -= 1
    const isOuter = depth === 0
    if (!closes) depth += 1
    if (!isOuter) return `<${closes}div>`
    if (closes) return '</details>'
    return `<details${isBare(body.slice(0, at)) ? ' open' : ''}><summary title="Texto citado" aria-label="Texto citado">…</summary>`
  })
}
const isBare = (said: string) => !/<img\b/.test(said) && !said.replace(/<[^>]*>|&nbsp;|\s/g, '')

const head = `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>E-mail</title><style>
:root{color-scheme:light;background:#fff;color:#1b2733}
body{margin:0;font:15px/22px system-ui,sans-serif;overflow-wrap:anywhere;overflow-x:auto;overflow-y:hidden}
:root[data-plain]{background:none}
:root[data-plain][data-dark]{color-scheme:dark;color:#e6ebf0}
:root:not([data-plain]) body{padding:8px}
:root[data-plain][data-dark] a{color:#6fd3cd}
a{color:#0b6b66}img{max-width:100%;height:auto}img:not([src]){display:none}
table{max-width:100%}pre{white-space:pre-wrap}p:first-child{margin-top:0}p:last-child{margin-bottom:0}
blockquote{margin:0 0 0 4px;padding-left:10px;border-left:3px solid #8d99a655}
details{margin-top:6px}summary{display:inline-block;cursor:pointer;list-style:none;padding:0 10px;border-radius:8px;background:#8d99a633;line-height:16px;font-weight:600}
summary::-webkit-details-marker{display:none}details[open]>summary{margin-bottom:6px}
</style></head>`
