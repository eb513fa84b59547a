type Given = {
  /** Every policy of the page, as its header and its own tags have it. */
  policies: readonly string[]
  /** Where the page is, and where our script and window come from. */
  page: string
  ours: string
  /** Of the tag with our script, if it has one. */
  nonce: string | undefined
}

/** Which of what the chat needs a page's policies refuse; each of them has to allow it. */
export const refusedBy = ({ policies, page, ours, nonce }: Given): ('script-src' | 'frame-src')[] => {
  const all = policies.map(directivesOf)
  const allows = (names: string[], isScript: boolean) =>
    all.every((directives) => {
      const sources = names.map((name) => directives.get(name)).find((found) => found !== undefined)
      if (!sources) return true
      if (isScript && nonce && sources.includes(`'nonce-${nonce}'`)) return true
      // Where trust is handed on from script to script, addresses count for nothing.
      if (isScript && sources.includes("'strict-dynamic'")) return false
      return sources.some((source) => matches(source, new URL(ours), new URL(page)))
    })
  return [
    ...(allows(['script-src-elem', 'script-src', 'default-src'], true) ? [] : ['script-src' as const]),
    ...(allows(['frame-src', 'child-src', 'default-src'], false) ? [] : ['frame-src' as const]),
  ]
}

const directivesOf = (policy: string) => {
  const found = new Map<string, string[]>()
  for (const directive of policy.split(';')) {
    const [name, ...sources] = directive.trim().split(/\s+/)
    if (name && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), sources) // the first of a name counts
  }
  return found
}

/** https://www.w3.org/TR/CSP3/#match-url-to-source-expression, for our own two addresses: their paths aside. */
const matches = (source: string, ours: URL, page: URL): boolean => {
  if (source === '*') return true
  if (source.toLowerCase() === "'self'") return ours.origin === page.origin
  if (/^[a-z][a-z\d+.-]*:$/i.test(source)) return isScheme(source.toLowerCase(), ours.protocol)
  const [, scheme, host = '', port] =
    /^(?:([a-z][a-z\d+.-]*:)\/\/)?([^/:']+)(?::(\d+|\*))?(?:\/.*)?$/i.exec(source) ?? []
  if (!host || !isScheme((scheme ?? page.protocol).toLowerCase(), ours.protocol)) return false
  const name = host.toLowerCase()
  const isHost = name.startsWith('*.') ? ours.hostname.endsWith(name.slice(1)) : ours.hostname === name
  return isHost && (port === '*' || (port ?? '') === ours.port || port === defaultPorts[ours.protocol])
}
const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' }

/** What allows http allows https too. */
const isScheme = (allowed: string, ours: string) => allowed === ours || (allowed === 'http:' && ours === 'https:')
