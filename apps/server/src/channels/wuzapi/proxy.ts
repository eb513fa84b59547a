import { ChannelError } from '../adapter.ts'
import { type Context, call, RouteMissing } from './api.ts'
import type { Status } from './instance.ts'

const harmless = { isHarmless: true } as const

/** The way out that was chosen here is the one WuzAPI takes to WhatsApp; its calls to us go straight. */
export const handOnProxy = async (
  context: Context,
  now: Status,
  isOurs: (context: Context, now: Status) => boolean,
): Promise<void> => {
  const wanted = proxyOf(context)
  if (wanted === (now.proxy_url ?? '')) return
  // What somebody else set on a user of theirs stays.
  if (!wanted && !isOurs(context, now)) return
  // It is refused while a session is open; the login stays.
  if (now.connected) await call(context, 'session/disconnect', { method: 'POST', ...harmless })
  const body = wanted ? { proxy_url: wanted, enable: true, webhook_use_proxy: false } : { enable: false }
  await call(context, 'session/proxy', { body, ...harmless }).catch((error) => {
    throw error instanceof RouteMissing ? unable('Este servidor WuzAPI não aceita proxy. Atualize-o.') : error
  })
}

const proxyOf = ({ proxy }: Context): string => {
  if (!proxy) return ''
  const { protocol, host, port, user, password } = proxy
  if (protocol === 'https') throw unable('O WuzAPI aceita apenas proxies HTTP e SOCKS5. Escolha outro para este canal.')
  const secrets = user ? `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@` : ''
  return `${protocol}://${secrets}${host.includes(':') ? `[${host}]` : host}:${port}`
}

const unable = (text: string) =>
  new ChannelError('final', 'O proxy deste canal não pôde ser usado. Avise o administrador.', {
    isConnectionBroken: true,
    forAdmin: { text },
  })
