import type { ModelConfig, ModelKind } from '@balcao/contract/core/integrations/models.ts'
import { z } from 'zod'
import type { Egress } from '../../kit/egress.ts'
import { type Asked, answered, cleaned, ModelProblem, problemOf } from '../model-problem.ts'

const listed = z
  .object({ data: z.array(z.object({ id: z.string() })) })
  .transform(({ data }) => data.map(({ id }) => id))
const geminis = z
  .object({
    models: z.array(z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).optional() })),
  })
  .transform(({ models }) =>
    models
      .filter(
        ({ supportedGenerationMethods: can }) =>
          !can || can.includes('generateContent') || can.includes('embedContent'),
      )
      .map(({ name }) => name.replace(/^models\//, '')),
  )
const tags = z
  .object({ models: z.array(z.object({ name: z.string() })) })
  .transform(({ models }) => models.map(({ name }) => name))

const headersOf = (kind: ModelKind, { apiKey, organization, project }: ModelConfig): Record<string, string> => {
  if (kind === 'claude') return { 'x-api-key': apiKey ?? '', 'anthropic-version': '2023-06-01' }
  if (kind === 'gemini') return { 'x-goog-api-key': apiKey ?? '' }
  return {
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    ...(organization && { 'openai-organization': organization }),
    ...(project && { 'openai-project': project }),
  }
}

/** The models this account offers now, by name. Throws ModelProblem. */
export const listModels = async (
  kind: ModelKind,
  config: ModelConfig,
  { http }: Pick<Egress, 'http'>,
  asked: Asked,
) => {
  const base = config.baseUrl.replace(/\/+$/, '')
  const url =
    kind === 'ollama'
      ? `${base}/api/tags`
      : `${base}/models${kind === 'gemini' ? '?pageSize=200' : kind === 'claude' ? '?limit=200' : ''}`
  const shape = kind === 'ollama' ? tags : kind === 'gemini' ? geminis : listed
  const answer = await http(url, { headers: headersOf(kind, config), timeoutMs: 15_000, maxBytes: 5_000_000 }).catch(
    (error) => {
      throw problemOf(error, asked)
    },
  )
  const found = shape.safeParse(answer.json())
  if (answer.status >= 300 || !found.success) throw refusalIn(answer, asked)
  return [...new Set<string>(found.data)].sort((a, b) => a.localeCompare(b)).slice(0, 1_000)
}

const refusal = z.object({ error: z.union([z.string(), z.looseObject({ message: z.string().optional() })]) })

/** What an answer that is not what was asked for means, of any status. */
export const refusalIn = (
  { status, headers, json }: { status: number; headers: Record<string, string>; json: () => unknown },
  asked: Asked,
): ModelProblem => {
  const error = refusal.safeParse(json()).data?.error
  if (status < 300 && error === undefined)
    return new ModelProblem('config', `Este endereço não responde como ${asked.label}. Confira o endereço.`, {
      isOfAccount: true,
    })
  const said = typeof error === 'string' ? error : (error?.message ?? '')
  const codes = typeof error === 'object' ? [error.code, error.type, error.status].join(' ') : ''
  const text = cleaned(said, asked.apiKey)
  return answered({ status: status < 300 ? undefined : status, text, codes: `${codes} ${text}`, headers }, asked)
}

export { headersOf as modelHeaders }
