import type { ModelConfig, ModelKind } from '@balcao/contract/core/integrations/models.ts'
import type { Egress } from '../../kit/egress.ts'
import { type Asked, ModelProblem, problemOf } from '../model-problem.ts'
import { modelHeaders, refusalIn } from './lists.ts'

export type ToSay = { text: string; timeoutMs: number }

/** Text as a voice note (Opus in Ogg), by OpenAI's `/audio/speech`, which local servers speak too. Throws ModelProblem. */
export const speak = async (
  kind: ModelKind,
  config: ModelConfig,
  { http }: Pick<Egress, 'http'>,
  asked: Asked,
  { text, timeoutMs }: ToSay,
): Promise<Buffer> => {
  const answer = await http(`${config.baseUrl.replace(/\/+$/, '')}/audio/speech`, {
    method: 'POST',
    headers: { ...modelHeaders(kind, config), 'content-type': 'application/json' },
    body: JSON.stringify({
      model: config.speechModel,
      input: text,
      voice: config.speechVoice,
      response_format: 'opus',
    }),
    timeoutMs,
    maxBytes: 10_000_000,
  }).catch((error) => {
    throw problemOf(error, asked)
  })
  if (answer.status >= 300) throw refusalIn(answer, asked)
  if (!answer.bytes.subarray(0, 4).equals(Buffer.from('OggS')))
    throw new ModelProblem('refusal', `${asked.label} não mandou um áudio Opus. Troque o modelo de voz.`)
  return answer.bytes
}
