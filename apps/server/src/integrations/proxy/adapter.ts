import { createSecureContext } from 'node:tls'
import type { IntegrationConfig } from '@balcao/contract/core/integrations/index.ts'
import { egressAlong } from '../../kit/egress.ts'
import type { Route } from '../../kit/egress-dial.ts'
import { type IntegrationAdapter, IntegrationError } from '../adapter.ts'

export const proxy: IntegrationAdapter<'proxy'> = {
  test: async ({ config }) => {
    if (!isReadable(config.certificate))
      throw new IntegrationError('O certificado e a chave não podem ser lidos, ou não são um do outro.')
    try {
      const socket = await egressAlong(routeOf(config)).connect({ host: config.testHost, port: 443 })
      socket.destroy()
    } catch (error) {
      throw new IntegrationError(
        /refused the user/.test(String(error))
          ? 'O proxy recusou o usuário ou a senha.'
          : `O proxy não abriu caminho até ${config.testHost}. Confira o endereço, a porta e o tipo.`,
      )
    }
    return { text: `O proxy abriu caminho até ${config.testHost}.` }
  },
  route: (config) => routeOf(config),
}

const routeOf = ({ protocol, host, port, user, password, certificate }: IntegrationConfig<'proxy'>): Route => ({
  proxy: { protocol, host, port, user, password },
  certificate,
})

const isReadable = (certificate: string | undefined) => {
  try {
    createSecureContext({ cert: certificate, key: certificate })
    return true
  } catch {
    return false
  }
}
