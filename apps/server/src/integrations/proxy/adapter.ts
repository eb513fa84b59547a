import { createSecureContext } from 'node:tls'
import type { IntegrationConfig } from '@balcao/contract/core/integrations/index.ts'
import { type Egress, egressAlong } from '../../kit/egress.ts'
import type { Route } from '../../kit/egress-dial.ts'
import { type IntegrationAdapter, IntegrationError } from '../adapter.ts'

export const proxy: IntegrationAdapter<'proxy'> = {
  test: async ({ config }) => {
    const way = config.protocol === 'none' ? 'Este servidor' : 'O proxy'
    if (!isReadable(config.certificate))
      throw new IntegrationError('O certificado e a chave não podem ser lidos, ou não são um do outro.')
    const startedAt = performance.now()
    const egress = egressAlong(routeOf(config))
    try {
      const socket = await egress.connect({ host: config.testHost, port: 443 })
      socket.destroy()
    } catch (error) {
      throw new IntegrationError(
        /refused the user/.test(String(error))
          ? 'O proxy recusou o usuário ou a senha.'
          : `${way} não abriu caminho até ${config.testHost}. ${config.protocol === 'none' ? 'Confira o servidor do teste.' : 'Confira o endereço, a porta e o tipo.'}`,
      )
    }
    const took = Math.round(performance.now() - startedAt)
    const ip = await ipBy(egress, config.echoUrl)
    return { text: `${way} abriu caminho até ${config.testHost} em ${took} ms${ip ? ` e sai pelo IP ${ip}` : ''}.` }
  },
  route: (config) => routeOf(config),
}

const routeOf = ({ protocol, host, port, user, password, certificate }: IntegrationConfig<'proxy'>): Route => {
  if (protocol === 'none') return { certificate }
  // One whose address is missing closes: nothing goes another way.
  if (!host || !port) throw new IntegrationError('Falta o endereço do proxy.')
  return { proxy: { protocol, host, port, user, password }, certificate }
}

/** By which address it comes out, in the words of whoever is asked. */
const ipBy = async ({ http }: Egress, echoUrl: string | undefined) => {
  if (!echoUrl) return undefined
  const answer = await http(echoUrl, { timeoutMs: 10_000, maxBytes: 10_000 }).catch(() => undefined)
  const ip = answer?.bytes.toString().match(ipText)?.[0]
  if (ip) return ip
  throw new IntegrationError(
    `Por este caminho, ${new URL(echoUrl).host} não disse o IP. Confira o endereço que diz o IP.`,
  )
}
const ipText = /\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:[\da-f]{0,4}:){2,7}[\da-f]{1,4}/i

const isReadable = (certificate: string | undefined) => {
  try {
    createSecureContext({ cert: certificate, key: certificate })
    return true
  } catch {
    return false
  }
}
