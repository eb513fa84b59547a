import { randomUUID } from 'node:crypto'
import { createSimulator, type SimulatorOptions } from '../simulator.ts'

/** Vapi: assistants, and their chat in writing. */
export const startVapiSimulator = async (options: SimulatorOptions = {}) => {
  const core = await createSimulator(options)
  const control = { apiKey: 'chave-privada-vapi' }
  const assistants = [{ id: 'as-1', name: 'Cobrança' }]
  const chats = new Map<string, number>()
  const missing = (message: string) => ({ message, error: 'Not Found', statusCode: 404 })

  core.app.addHook('preHandler', async (req, reply) => {
    if (req.headers.authorization !== `Bearer ${control.apiKey}`)
      return reply.code(401).send({ message: 'Invalid Key.', error: 'Unauthorized', statusCode: 401 })
  })
  core.app.get<{ Params: { id: string } }>('/assistant/:id', (req, reply) => {
    const one = assistants.find(({ id }) => id === req.params.id)
    return one ?? reply.code(404).send(missing('Assistant not found.'))
  })
  core.app.post<{ Body: { assistantId: string; input: string; previousChatId?: string } }>('/chat', (req, reply) => {
    const { input, previousChatId } = req.body
    if (previousChatId && !chats.has(previousChatId)) return reply.code(404).send(missing('Chat not found.'))
    const turn = (chats.get(previousChatId ?? '') ?? 0) + 1
    const id = randomUUID()
    chats.set(id, turn)
    return { id, output: [{ role: 'assistant', content: `${turn}: ${input}` }], messages: [] }
  })
  await core.listen()
  return Object.assign(core, { control })
}
