import type { IntegrationAdapter, IntegrationContext } from '../adapter.ts'
import { mailer } from '../mailer.ts'

export const gmail: IntegrationAdapter<'gmail'> = {
  test: async (context) => {
    await (await open(context)).verify()
    return { text: `O Gmail aceitou a conta ${context.config.from}.` }
  },
  sendMail: async (letter, context) => {
    await (await open(context)).send(letter)
  },
}

const open = async ({ config, egress, accessToken }: IntegrationContext<'gmail'>) => {
  const { from, fromName, host, port } = config
  const auth = { type: 'OAuth2' as const, user: from, accessToken: await accessToken() }
  const security = port === 465 ? 'tls' : 'starttls'
  return mailer({ from: { address: from, name: fromName }, host, port, security, auth }, egress)
}
