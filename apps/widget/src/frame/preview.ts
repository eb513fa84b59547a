import type { Offer } from '../protocol.ts'
import { type Api, ApiError, type WebchatMessage, type WidgetConfig } from './api.ts'
import { say } from './words.ts'

/** What is shown of a look nobody has saved: the conversation, the questions before it, a question for a grade, or an offer. */
export type PreviewView = 'conversation' | 'prechat' | 'rating' | 'offer'
export type Preview = { config: WidgetConfig; view: PreviewView; offer?: Offer }

/** Nothing leaves a preview: what is written in it is only shown. */
export const previewApi: Api = {
  listAfter: async () => ({ items: [], hasMore: false }),
  listBefore: async () => ({ items: [], hasMore: false }),
  send: async (message) => ({
    ...shown(message.clientId, 'visitor', message.text ?? ''),
    clientId: message.clientId,
    seq: ++lastSeq,
  }),
  sendEvent: async () => undefined,
  sendPreChat: async () => undefined,
  listHelp: async () => [],
  askTranscript: async () => ({ challenge: null }),
  confirmTranscript: async () => undefined,
  upload: async () => {
    throw new ApiError(422, 'PREVIEW', say('failed'))
  },
}
let lastSeq = 100

export const previewThread = (view: PreviewView): WebchatMessage[] => {
  if (view === 'prechat' || view === 'offer') return []
  const talk = [
    { ...shown('1', 'visitor', '👋'), seq: 1 },
    { ...shown('2', 'agent', '🙂'), seq: 2, agentName: 'Ana' },
  ]
  if (view === 'conversation') return talk
  const buttons = [1, 2, 3, 4, 5].map((grade) => ({ id: `nota:${grade}`, title: String(grade) }))
  return [...talk, { ...shown('3', 'bot', say('rate')), seq: 3, isRating: true, buttons }]
}

const shown = (id: string, from: WebchatMessage['from'], text: string): WebchatMessage => ({
  id: `preview-${id}`,
  seq: 0,
  from,
  type: 'text',
  text,
  status: 'read',
  isDeleted: false,
  createdAt: new Date().toISOString(),
})
