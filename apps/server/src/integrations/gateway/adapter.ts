import type { IntegrationKind } from '@balcao/contract/core/integrations/index.ts'
import type { Egress } from '../../kit/egress.ts'
import { AppError } from '../../kit/errors.ts'
import { type IntegrationAdapter, IntegrationError } from '../adapter.ts'

/** A question that only its administrator is answered, and that changes nothing. */
type Question = { url: string; headers: Record<string, string> }

const ask = async ({ http }: Egress, { url, headers }: Question, name: string) => {
  const answer = await http(url, { headers, timeoutMs: 15_000 }).catch((error) => {
    if (error instanceof AppError) throw error // an address that may not be called
    throw new IntegrationError(`${name} não respondeu. Confira o endereço e se o servidor está no ar.`, {
      isPassing: true,
    })
  })
  if (answer.status === 401 || answer.status === 403)
    throw new IntegrationError(`${name} não aceita esta chave. Copie a chave de administrador e cole de novo.`)
  if (answer.status >= 500)
    throw new IntegrationError(`${name} está com problema (${answer.status}). Tente daqui a pouco.`, {
      isPassing: true,
    })
  return answer
}

/** Lists its instances: who may, is its administrator. */
const listing = async (egress: Egress, question: Question, name: string) => {
  const { status, json } = await ask(egress, question, name)
  const told = status < 300 ? json() : undefined
  if (typeof told !== 'object' || told === null)
    throw new IntegrationError(`Este endereço não responde como um servidor ${name}. Confira o endereço.`)
  return { text: `${name} respondeu. Crie um canal: só falta o nome e ler o código.` }
}
const at = (baseUrl: string, route: string) => `${baseUrl.replace(/\/+$/, '')}/${route}`

type Gateway<K extends IntegrationKind> = IntegrationAdapter<K>

export const evolution: Gateway<'evolution'> = {
  test: ({ egress, config: { baseUrl, apiKey } }) =>
    listing(egress, { url: at(baseUrl, 'instance/fetchInstances'), headers: { apikey: apiKey } }, 'Evolution API'),
}

export const uazapi: Gateway<'uazapi'> = {
  test: ({ egress, config: { baseUrl, adminToken } }) =>
    listing(egress, { url: at(baseUrl, 'instance/all'), headers: { admintoken: adminToken } }, 'uazapi'),
}

export const wuzapi: Gateway<'wuzapi'> = {
  test: ({ egress, config: { baseUrl, adminToken } }) =>
    listing(egress, { url: at(baseUrl, 'admin/users'), headers: { authorization: adminToken } }, 'WuzAPI'),
}

/** Only a partner is answered without an instance: the token of another account is tried by each channel. */
export const zapi: Gateway<'zapi'> = {
  test: async ({ egress, config: { baseUrl, clientToken, partnerToken } }) => {
    if (partnerToken) {
      const headers = { 'client-token': clientToken, authorization: `Bearer ${partnerToken}` }
      return listing(egress, { url: at(baseUrl, 'instances?page=1&pageSize=1'), headers }, 'Z-API')
    }
    await ask(egress, { url: baseUrl, headers: { 'client-token': clientToken } }, 'Z-API')
    return { text: 'A Z-API respondeu. O token da conta é conferido quando um canal se conecta.' }
  },
}

/** Not every account lists its channels; each lists whom it tells. */
export const hub: Gateway<'hub'> = {
  test: async ({ egress, config: { baseUrl, token } }) => {
    for (const path of ['channels', 'subscriptions']) {
      const question = { url: at(baseUrl, path), headers: { 'x-api-token': token } }
      const { status, json } = await ask(egress, question, 'NotificaMe')
      const told = status < 300 ? json() : undefined
      if (typeof told === 'object' && told !== null)
        return { text: 'O NotificaMe respondeu. Escolha abaixo os canais que entram aqui.' }
    }
    throw new IntegrationError('Este endereço não responde como o NotificaMe. Confira o endereço da API.')
  },
}
