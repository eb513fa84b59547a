import { api } from '../../../kit/api.ts'

const everyMs = 8_000

/** Shows the customer "gravando áudio" while it lasts; returns how to stop. A courtesy: nobody is told when it fails. */
export const tellRecording = (ticketId: string) => {
  const tell = (state: 'recording' | 'paused') =>
    void api.post(`/messages/${ticketId}/${state}`, {}, { quiet: true }).catch(() => undefined)
  tell('recording')
  const timer = setInterval(() => tell('recording'), everyMs)
  return () => {
    clearInterval(timer)
    tell('paused')
  }
}
