import type { IntegrationContext } from '../adapter.ts'
import type { BotTurn } from '../bot-turn.ts'
import { Refused, refused } from './calls.ts'

export const label = 'O Dify'
export type DifyContext = IntegrationContext<'dify'>

export const address = ({ config }: DifyContext, path: string) => `${config.baseUrl.replace(/\/+$/, '')}/${path}`
export const key = ({ config }: DifyContext) => ({ authorization: `Bearer ${config.apiKey}` })
/** Whom the app knows: files, conversations and runs are visible to the same one alone. */
export const userOf = ({ variables }: Pick<BotTurn, 'variables'>) =>
  `contato-${variables.contato ?? variables.atendimento ?? ''}`

/** A rate passes by itself; a plan that is used up does not. */
export const difyRefused = (answer: Parameters<typeof refused>[1]): Refused => {
  const found = refused(label, answer)
  return found.code === 'rate_limit_error'
    ? new Refused(found.status, found.code, 'money', `O plano do Dify chegou ao limite de pedidos. ${found.message}`)
    : found
}
