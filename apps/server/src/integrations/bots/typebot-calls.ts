import type { IntegrationContext } from '../adapter.ts'

export const label = 'O Typebot'
export type TypebotContext = IntegrationContext<'typebot'>

export const viewer = ({ config }: TypebotContext, path: string) =>
  `${config.baseUrl.replace(/\/+$/, '').replace(/\/api$/, '')}/api/${path}`
export const asJson = (body: object) =>
  ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }) as const
