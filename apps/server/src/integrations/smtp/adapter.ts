import type { IntegrationAdapter, IntegrationContext } from '../adapter.ts'
import { mailer } from '../mailer.ts'

export const smtp: IntegrationAdapter<'smtp'> = {
  test: async (context) => {
    const { host, from } = context.config
    await (await open(context)).sendTest()
    return { text: `O servidor ${host} aceitou a conta, e um e-mail de teste saiu para ${from}.` }
  },
  sendMail: async (letter, context) => {
    await (await open(context)).send(letter)
  },
}

const open = ({ config, egress }: IntegrationContext<'smtp'>) => {
  const { from, fromName, host, port, security, hasLogin, user = '', password = '' } = config
  const auth = hasLogin ? { user, pass: password } : undefined
  return mailer({ from: { address: from, name: fromName }, host, port, security, auth }, egress)
}
