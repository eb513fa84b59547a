import { checkEgressUrl } from '../../../kit/egress.ts'
import { AppError } from '../../../kit/errors.ts'
import { tellConsumer } from '../../core/deliveries/deliveries.service.ts'
import { isConsumer } from '../../core/integrations/integration.consumer.ts'
import type { Catalogue } from '../tickets/action-catalogue.ts'

export const webhook: Catalogue['webhook'] = {
  run: async ({ integrationId, name, url }, { tx, by, ticket, stepId }) => {
    const payload = { name, by: by.author, ticket }
    const told = { id: stepId, integrationId, topic: 'action.called' as const, lane: ticket.id, payload, url }
    if (!(await tellConsumer(tx, told)))
      throw new AppError('ERR_INVALID_TRANSITION', {
        message: 'Este sistema não existe mais no endereço. Em Integrações, abra o webhook e toque em Testar.',
      })
  },
  check: async ({ integrationId, url }, { tx }) => {
    if (!(await isConsumer(tx, integrationId))) return { path: 'integrationId', message: 'Webhook não encontrado.' }
    return url ? unreachable(url) : undefined
  },
  sentence: ({ name }) => `avisou um sistema da empresa: ${name}`,
}

const unreachable = (url: string) => {
  try {
    checkEgressUrl(url)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { path: 'url', message: error.message }
  }
}
