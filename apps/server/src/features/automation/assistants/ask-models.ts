import { ModelProblem } from '../../../integrations/model-problem.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { answerWith } from '../models/answer.ts'
import { AnswerError, type AnswerWith } from './answering.ts'

/** The company's language models, asked one step at a time: what a tool comes to is decided here, not there. */
export const askModels: AnswerWith = async ({ tools, messages, model, ticketId, key, onText, ...given }) => {
  const { assistantId, budgetCents, ...asked } = given
  try {
    const { text, toolCalls, costMicros, integrationId } = await answerWith({
      ...asked,
      purpose: ticketId ? 'assistant' : 'evaluation',
      assistant: { id: assistantId, budgetCents },
      messages: [...messages],
      tools: Object.fromEntries(
        tools.map(({ name, description, parameters }) => [name, { description, input: parameters }]),
      ),
      maxSteps: 1,
      ...(model && { model }),
      ...(ticketId && { ticketId }),
      ...(key && { key }),
      ...(onText && { onText }),
    })
    return { text, toolCalls, costMicros, integrationId, finish: 'done' }
  } catch (error) {
    if (error instanceof ModelProblem && error.kind === 'refusal')
      return { text: '', toolCalls: [], costMicros: 0, integrationId: null, finish: 'refused' }
    throw problemOf(error)
  }
}

const problemOf = (error: unknown): unknown => {
  if (error instanceof AppError)
    return new AnswerError(error.code === 'ERR_AI_BUDGET' ? 'money' : 'config', sentenceOf(error))
  if (!(error instanceof ModelProblem)) return error
  const { kind } = error
  return new AnswerError(kind === 'speed' || kind === 'network' || kind === 'money' ? kind : 'config', error.message)
}
