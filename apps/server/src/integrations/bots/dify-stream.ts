import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { ModelProblem } from '../model-problem.ts'
import { difyRefused } from './dify-calls.ts'
import { serverSentEvents } from './server-sent-events.ts'

const event = z.object({
  event: z.string(),
  conversation_id: loose(z.string()),
  task_id: loose(z.string()),
  workflow_run_id: loose(z.string()),
  answer: loose(z.string()),
  status: loose(z.unknown()),
  code: loose(z.string()),
  message: loose(z.string()),
  data: loose(
    z.object({
      status: loose(z.string()),
      error: loose(z.string()),
      outputs: loose(z.record(z.string(), z.unknown())),
    }),
  ),
})
type Event = z.output<typeof event>

/** What was heard of an answer, as it comes. */
export type Heard = {
  /** Of agents, word by word. */
  spoken: string
  /** Of the others, word by word; a new agent says all of it once more at the end. */
  said: string
  /** What a flow came to, once it is over. */
  output: string
  conversationId?: string
  taskId?: string
  runId?: string
  /** It waits for a person. */
  isPaused: boolean
  isOver: boolean
}
export const nothingHeard = (): Heard => ({ spoken: '', said: '', output: '', isPaused: false, isOver: false })

/** Listens to a stream until it ends. An error may come in the middle of it, after 200. */
export const hear = async (body: AsyncIterable<Buffer>, heard: Heard): Promise<void> => {
  for await (const { data } of serverSentEvents(body)) {
    const one = event.safeParse(parsed(data)).data
    if (one) note(one, heard)
  }
}

const note = (one: Event, heard: Heard) => {
  heard.conversationId = one.conversation_id || heard.conversationId
  heard.taskId = one.task_id || heard.taskId
  heard.runId = one.workflow_run_id || heard.runId
  const { answer = '', data } = one
  switch (one.event) {
    case 'error':
      heard.isOver = true
      throw difyRefused(failure(one))
    case 'agent_message':
      heard.spoken += answer
      return
    case 'message_replace':
      heard.spoken = answer
      return
    case 'message':
      heard.said += answer
      return
    case 'message_end':
      heard.isOver = true
      return
    case 'human_input_required':
    case 'workflow_paused':
      heard.isPaused = true
      heard.isOver = true
      return
    case 'workflow_finished':
      heard.isOver = true
      if (data?.status === 'failed')
        throw new ModelProblem('config', `O fluxo do Dify falhou. O serviço disse: “${data.error ?? ''}”`)
      heard.output = outputOf(data?.outputs ?? {})
  }
}

const outputOf = (outputs: Record<string, unknown>) => {
  const values = ['answer', 'text', 'output', 'result'].map((name) => outputs[name])
  const found = [...values, ...Object.values(outputs)].find((one) => typeof one === 'string' && one.trim())
  return typeof found === 'string' ? found : ''
}
const failure = ({ status, code, message }: Event) => ({
  status: typeof status === 'number' ? status : 500,
  headers: {},
  json: () => ({ code, message }),
})
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
