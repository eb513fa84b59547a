import { log } from '../../../kit/log.ts'
import { embedTexts } from '../models/embed.ts'

/** Questions nobody asks a company, each with what answers it in other words. */
const questions = [
  'Onde o gato dormiu?',
  'O que se vê na montanha à noite?',
  'Quando a sinfonia ficou pronta?',
  'Como os romanos levavam água às cidades?',
]
const answers = [
  'O felino passou a tarde inteira em cima do telhado.',
  'A lua cheia ilumina os picos cobertos de neve.',
  'O compositor terminou a obra no inverno.',
  'Aquedutos de pedra atravessavam toda a península.',
]

/** `elsewhere`: what has nothing to do with whatever else is asked; `span`: how much nearer a question is to its answer. */
export type EmbeddingScale = { elsewhere: readonly number[][]; span: number }
type Embedder = { tenantId: number; integrationId: string; by: string; timeoutMs: number }

const known = new Map<string, EmbeddingScale>()
const mostKnown = 100

/**
 * What “near” is to a model: sentences that have nothing in common stand at 0.1 with one and at 0.75 with another, and a
 * question stands nearer to its answer by a half or by a tenth. Asked once of each account and model, while we run.
 * Undefined: the model does not tell what answers a question from what does not.
 */
export const scaleOf = async ({ by, ...account }: Embedder): Promise<EmbeddingScale | undefined> => {
  const name = `${account.integrationId} ${by}`
  let scale = known.get(name)
  if (!scale) {
    scale = scaleIn((await embedTexts({ ...account, texts: [...questions, ...answers] })).embeddings)
    if (known.size >= mostKnown) known.clear()
    known.set(name, scale)
  }
  if (scale.span > 0) return scale
  log.warn({ by, integrationId: account.integrationId }, 'a model of embeddings that knows no answers')
  return undefined
}

const scaleIn = (embeddings: number[][]): EmbeddingScale => {
  const elsewhere = embeddings.slice(questions.length)
  const nearness = embeddings
    .slice(0, questions.length)
    .map((question) => elsewhere.map((one) => cosine(question, one)))
  const own = mean(nearness.map((row, at) => row[at] ?? 0))
  const others = mean(nearness.flatMap((row, at) => row.toSpliced(at, 1)))
  return { elsewhere, span: own - others }
}

/** How near a question stands to what has nothing to do with it. */
export const floorOf = (question: readonly number[], { elsewhere }: EmbeddingScale) =>
  mean(elsewhere.map((one) => cosine(question, one)))

const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length

const cosine = (a: readonly number[], b: readonly number[]) => {
  let [ab, aa, bb] = [0, 0, 0]
  for (const [at, x] of a.entries()) {
    const y = b[at] ?? 0
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return ab / (Math.sqrt(aa * bb) || 1)
}
