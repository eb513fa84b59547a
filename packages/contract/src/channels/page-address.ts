/**
 * Whether a page is one of those described, each as it stands in the browser: `/planos` is that page of the site,
 * `loja.com.br/planos` of that site alone; `*` stands for anything. What comes behind ? or # counts only where it is named.
 */
export const isPageAmong = (patterns: readonly string[], address: string): boolean =>
  patterns.length === 0 || patterns.some((pattern) => isPage(pattern, address))

const isPage = (pattern: string, address: string): boolean => {
  const { host, pathname, search, hash } = new URL(address)
  const wanted = withoutSlash(decoded(pattern.trim().replace(/^https?:\/\//, '')))
  const page = withoutSlash((wanted.startsWith('/') ? '' : host) + pathname)
  return shapeOf(wanted).test(decoded(page + (wanted.includes('?') ? search : '') + (wanted.includes('#') ? hash : '')))
}

const withoutSlash = (text: string) => text.replace(/(.)\/$/, '$1')

const shapeOf = (text: string) => {
  const parts = text.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'i')
}

const decoded = (text: string) => {
  try {
    return decodeURI(text)
  } catch {
    return text // a lone % is what it is
  }
}
