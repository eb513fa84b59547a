import type { IntegrationKind } from '@balcao/contract/core/integrations/index.ts'
import type { IntegrationAdapter } from './adapter.ts'

type Loaders = { [K in IntegrationKind]: () => Promise<IntegrationAdapter<K>> }
/** Every integration by kind, loaded when it is first used; forgetting one does not compile. */
const loaders: Loaders = {
  smtp: async () => (await import('./smtp/adapter.ts')).smtp,
  gmail: async () => (await import('./gmail/adapter.ts')).gmail,
  microsoft: async () => (await import('./microsoft/adapter.ts')).microsoft,
  proxy: async () => (await import('./proxy/adapter.ts')).proxy,
  evolution: async () => (await import('./gateway/adapter.ts')).evolution,
  uazapi: async () => (await import('./gateway/adapter.ts')).uazapi,
  wuzapi: async () => (await import('./gateway/adapter.ts')).wuzapi,
  zapi: async () => (await import('./gateway/adapter.ts')).zapi,
  hub: async () => (await import('./gateway/adapter.ts')).hub,
  googleCalendar: async () => (await import('./google-calendar/adapter.ts')).googleCalendar,
  webhook: async () => (await import('./webhook/adapter.ts')).webhook,
  'chat-gpt': async () => (await import('./models/adapter.ts')).models('chat-gpt'),
  claude: async () => (await import('./models/adapter.ts')).models('claude'),
  gemini: async () => (await import('./models/adapter.ts')).models('gemini'),
  grok: async () => (await import('./models/adapter.ts')).models('grok'),
  groqcloud: async () => (await import('./models/adapter.ts')).models('groqcloud'),
  deepseek: async () => (await import('./models/adapter.ts')).models('deepseek'),
  qwen: async () => (await import('./models/adapter.ts')).models('qwen'),
  ollama: async () => (await import('./models/adapter.ts')).models('ollama'),
  lm: async () => (await import('./models/adapter.ts')).models('lm'),
  typebot: async () => (await import('./bots/typebot.ts')).typebot,
  dialogflow: async () => (await import('./bots/dialogflow.ts')).dialogflow,
  n8n: async () => (await import('./bots/n8n.ts')).n8n,
  dify: async () => (await import('./bots/dify.ts')).dify,
  vapi: async () => (await import('./bots/vapi.ts')).vapi,
}
export const loadIntegration = <K extends IntegrationKind>(kind: K): Promise<IntegrationAdapter<K>> => loaders[kind]()
