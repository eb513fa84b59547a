import type { ClosingProposed, CopilotAsked, CopilotLine, copilotState } from '@balcao/contract/automation/copilot.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { ApiError, messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'

const answerTimeoutMs = 60_000

export const copilotQuery = queryOptions({
  queryKey: ['copilot'],
  queryFn: ({ signal }) => api.get<z.output<typeof copilotState>>('/copilot', { signal, quiet: true }),
  staleTime: 5 * 60_000,
})
const nothing = { isOn: false, transcribes: false }

/** What is offered to this person here: nothing while it is not known (`isComing`), or not allowed. */
export const useCopilotState = () => {
  const mayUse = useCan('copilot.use')
  const { data, isPending } = useQuery({ ...copilotQuery, enabled: mayUse })
  return { ...((mayUse && data) || nothing), isComing: mayUse && isPending }
}

/**
 * Asks for a text, which grows while it is written: `onText` is told all of it each time. Answers where it stands what it
 * says. Throws ApiError with the sentence for the person.
 */
export const askCopilot = async (
  asked: CopilotAsked,
  { signal, onText }: { signal: AbortSignal; onText: (soFar: string) => void },
): Promise<{ text: string; sources: string[] }> => {
  let text = ''
  let sources: string[] | undefined
  let rest = ''
  const read = (line: CopilotLine) => {
    if ('error' in line) throw new ApiError({ status: 409, code: line.error, message: line.message })
    if ('done' in line) sources = line.sources
    else text = 'anew' in line ? line.anew : text + line.more
    onText(text)
  }
  const onPiece = (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line) read(JSON.parse(line) as CopilotLine) // by the contract of the server
  }
  await api.post('/copilot', asked, { signal, onPiece, timeoutMs: answerTimeoutMs, quiet: true })
  if (!sources)
    throw new ApiError({ status: 0, code: 'ERR_MODEL_FAILED', message: 'A resposta parou no meio. Tente de novo.' })
  return { text: text.trim(), sources }
}

export const proposeClosing = (ticketId: string) =>
  api.post<ClosingProposed>(`/copilot/closing/${ticketId}`, {}, { timeoutMs: answerTimeoutMs })

/** Asks for an audio in writing; its words arrive with the message. */
export const transcribe = ({ id }: Pick<Message, 'id'>) =>
  void api.post(`/messages/${id}/transcript`).catch((error: unknown) => notify.error(messageOf(error)))
