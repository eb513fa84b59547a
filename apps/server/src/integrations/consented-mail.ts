import type { IntegrationAdapter, IntegrationContext } from './adapter.ts'
import { mailer } from './mailer.ts'

/** A mail account whose owner has consented: it sends by the provider's server, with a token in place of a password. */
export const consentedMail = <K extends 'gmail' | 'microsoft'>(label: string): IntegrationAdapter<K> => ({
  test: async (context) => {
    const { from } = context.config
    await (await open(context)).sendTest()
    return { text: `O ${label} aceitou a conta, e um e-mail de teste saiu para ${from}.` }
  },
  sendMail: async (letter, context) => {
    await (await open(context)).send(letter)
  },
})

const open = async ({ config, egress, accessToken }: IntegrationContext<'gmail' | 'microsoft'>) => {
  const { from, fromName, host, port } = config
  const auth = { type: 'OAuth2' as const, user: from, accessToken: await accessToken() }
  const security = port === 465 ? 'tls' : 'starttls'
  return mailer({ from: { address: from, name: fromName }, host, port, security, auth }, egress)
}
