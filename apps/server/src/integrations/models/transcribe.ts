import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { ModelConfig, ModelKind } from '@balcao/contract/core/integrations/models.ts'
import { z } from 'zod'
import type { Egress } from '../../kit/egress.ts'
import { type Asked, ModelProblem, problemOf } from '../model-problem.ts'
import { modelHeaders, refusalIn } from './lists.ts'

export type Speech = { bytes: Buffer; name: string; mime: string; language?: string; timeoutMs: number }
export type Transcript = { text: string; seconds: number | null }

const spoken = z.object({ text: z.string(), duration: z.coerce.number().nonnegative().optional() })

/** Speech as text, by OpenAI's `/audio/transcriptions`, which Groq and local servers speak too. Throws ModelProblem. */
export const transcribe = async (
  kind: ModelKind,
  config: ModelConfig,
  { http }: Pick<Egress, 'http'>,
  asked: Asked,
  { bytes, name, mime, language, timeoutMs }: Speech,
): Promise<Transcript> => {
  const { FormData } = await import('undici')
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type: mime }), name)
  form.set('model', config.audioModel)
  form.set('response_format', 'json')
  if (language) form.set('language', language)
  const answer = await http(`${config.baseUrl.replace(/\/+$/, '')}/audio/transcriptions`, {
    method: 'POST',
    headers: modelHeaders(kind, config),
    body: form,
    timeoutMs,
    maxBytes: 5_000_000,
  }).catch((error) => {
    throw problemOf(error, asked)
  })
  const heard = spoken.safeParse(answer.json())
  if (answer.status >= 300 || !heard.success) throw refusalIn(answer, asked)
  const text = heard.data.text.trim()
  if (!text) throw new ModelProblem('refusal', 'Não há fala neste áudio.')
  return { text: cutText(text, 50_000), seconds: heard.data.duration ?? null }
}
