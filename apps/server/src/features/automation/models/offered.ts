import { integrations } from '@balcao/contract/core/integrations/index.ts'
import { type ModelKind, type ModelsOffered, modelConfig } from '@balcao/contract/core/integrations/models.ts'
import { IntegrationError } from '../../../integrations/adapter.ts'
import { direct } from '../../../kit/egress.ts'
import { AppError } from '../../../kit/errors.ts'
import { integrationConfig, requireIntegration } from '../../core/integrations/integrations.service.ts'
import { modelsOf } from './accounts.ts'

type Asked = { kind: ModelKind; id?: string; config: Record<string, unknown> }

/** What an account offers, by what stands in its form: a stored key stands in for none, at its own address alone. */
export const modelsOffered = async (tenantId: number, { kind, id, config }: Asked): Promise<ModelsOffered> => {
  try {
    const whole = await configFrom(tenantId, { kind, id, config: { ...config, model: config.model || '-' } })
    const models = await modelsOf(kind)
    const context = { tenantId, id: id ?? '', config: whole as never, egress: direct, accessToken: async () => '' } // checked by this kind's own schema
    return { models: await models.list(context), problem: null }
  } catch (error) {
    if (error instanceof IntegrationError || error instanceof AppError)
      return { models: [], problem: problemIn(error, kind) }
    throw error
  }
}

const configFrom = async (tenantId: number, { kind, id, config }: Asked) => {
  const { check, merge } = integrationConfig[kind]
  const row = id ? await requireIntegration(tenantId, id) : undefined
  if (row && row.kind !== kind) throw new AppError('ERR_NOT_FOUND')
  return modelConfig.parse(row ? merge(row.id, row.config, config) : check(config))
}

const problemIn = (error: IntegrationError | AppError, kind: ModelKind): string => {
  if (!(error instanceof AppError) || error.code !== 'ERR_VALIDATION') return error.message
  return `Preencha chave e endereço para ver os modelos de ${integrations[kind].label}.`
}
