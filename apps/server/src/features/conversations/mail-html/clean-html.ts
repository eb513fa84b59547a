import sanitize, { type Attributes, type IOptions } from 'sanitize-html'

/** What becomes of a picture the text draws: the address it is shown by, or undefined where it is not shown. */
type Draw = (source: string) => string | undefined
export type Cleaning = { draw: Draw; foldQuotes?: boolean }

/**
 * Formatted text of strangers as marks, colours, tables, pictures and links: what is not on these lists is not in the
 * answer, and what is there is written anew, so nothing is left for a browser to read otherwise than we did.
 */
export const cleanHtml = (html: string, { draw, foldQuotes = false }: Cleaning): string => {
  const element = (tagName: string, given: Attributes) => ({ tagName, attribs: attributesOf(given) })
  const options: IOptions = {
    allowedTags: [...tags, ...(foldQuotes ? [folded] : [])],
    allowedAttributes: { '*': attributes, a: ['href', 'target', 'rel'], img: ['src', 'alt'], [folded]: [] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nestingLimit: 200,
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'title',
      'template',
      'xmp',
      'svg',
      'math',
      'iframe',
    ],
    transformTags: {
      '*': element,
      // Only ours folds: theirs could hide a text that looks whole.
      [folded]: (_name, given) => element('div', given),
      ...(foldQuotes && {
        div: (name, given) => (isQuote(given) ? { tagName: folded, attribs: {} } : element(name, given)),
        blockquote: (name, given) =>
          given.type === 'cite' || isQuote(given) ? { tagName: folded, attribs: {} } : element(name, given),
      }),
      a: (name, given) => {
        const { href, ...rest } = element(name, given).attribs
        // One without an address of its own would lead into our pages.
        const leads = href && /^\s*(https?:\/\/|mailto:|tel:)/i.test(href) && { href: href.trim() }
        return { tagName: name, attribs: { ...rest, target: '_blank', rel: 'noopener noreferrer nofollow', ...leads } }
      },
      img: (name, given) => {
        const { src: told = '', alt = '', ...rest } = element(name, given).attribs
        const src = draw(told.trim())
        return { tagName: name, attribs: { ...rest, alt, ...(src && { src }) } }
      },
    },
  }
  return sanitize(html, options)
}

/** What folds the quoted text away; of the reader's own doing alone. */
export const folded = 'details'

// biome-ignore format: a list
const tags = [
  'a', 'abbr', 'address', 'article', 'aside', 'b', 'bdi', 'bdo', 'big', 'blockquote', 'br', 'caption', 'center', 'cite', 'code', 'col',
  'colgroup', 'dd', 'del', 'dfn', 'div', 'dl', 'dt', 'em', 'figcaption', 'figure', 'font', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6',
  'header', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'main', 'mark', 'nav', 'ol', 'p', 'pre', 'q', 's', 'samp', 'section', 'small', 'span',
  'strike', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'time', 'tr', 'tt', 'u', 'ul', 'var', 'wbr',
]
// biome-ignore format: a list
const attributes = [
  'align', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'color', 'colspan', 'dir', 'face', 'height', 'lang', 'nowrap', 'rowspan',
  'size', 'start', 'style', 'title', 'valign', 'width',
]

const quoteMarks = /\b(gmail_quote|yahoo_quoted|moz-cite|protonmail_quote|zmail_extra|tutanota_quote)\b/
const isQuote = (given: Attributes) => quoteMarks.test(given.class ?? '')

const attributesOf = ({ style, ...given }: Attributes): Attributes => {
  const shown = style && safeStyle(style)
  return shown ? { ...given, style: shown } : given
}

const properties =
  /^(color|background(-color)?|font(-(family|size|style|weight|variant))?|line-height|letter-spacing|text-(align|decoration|indent|transform)|vertical-align|white-space|word-(break|wrap|spacing)|overflow-wrap|direction|list-style(-type)?|display|(min-|max-)?(width|height)|(margin|padding|border)(-(top|right|bottom|left))?(-(color|style|width))?|border-(radius|collapse|spacing)|table-layout|float|clear)$/
/** Words, numbers, colours and quoted names: nothing that loads, computes or escapes. */
const plainValue = /^[\w\s#%.,()'"!+/-]*$/
const active = /url|expression|image|attr\s*\(|var\s*\(|element|env\s*\(|behaviou?r|-moz-binding/i

const safeStyle = (style: string): string =>
  style
    .slice(0, 4_000)
    .split(';')
    .flatMap((declaration) => {
      const at = declaration.indexOf(':')
      const name = declaration.slice(0, at).trim().toLowerCase()
      const value = declaration.slice(at + 1).trim()
      return at > 0 && properties.test(name) && plainValue.test(value) && !active.test(value)
        ? [`${name}:${value}`]
        : []
    })
    .join(';')
