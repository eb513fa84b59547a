import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { onConnected, tell } from '../../../kit/socket.ts'
import { draftQuery, readDraft, writeDraft } from './api.ts'
import { createDesk, type Desk, type Taken } from './desk.ts'
import { rememberFiles } from './known-files.ts'
import { listenFor } from './live.ts'

/** The flow of this screen on its desk; undefined until its draft is read. */
export const useFlowDesk = (flowId: string, onTaken: (taken: Taken) => void) => {
  const draft = useQuery(draftQuery(flowId))
  const [desk, setDesk] = useState<Desk>()
  const handleTaken = useEffectEvent(onTaken)
  const begin = useEffectEvent(() => {
    if (!draft.data) return undefined
    rememberFiles(draft.data.media)
    const made = createDesk({
      flowId,
      draft: draft.data,
      write: (change) => writeDraft(flowId, change),
      read: () => readDraft(flowId),
      onTaken: handleTaken,
    })
    setDesk(made)
    const stop = made.start()
    const stopListening = listenFor(flowId, made)
    return () => {
      stopListening()
      stop()
    }
  })
  const isRead = draft.data !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: another flow is another desk
  useEffect(() => {
    return begin()
  }, [isRead, flowId])
  useEffect(() => {
    if (draft.data) desk?.catchUp(draft.data)
  }, [desk, draft.data])
  return { desk, draft }
}

/** Tells the others where one is in this flow. */
export const useLook = (flowId: string, nodeId: string | null) => {
  useEffect(() => {
    return onConnected(() => tell('chatFlow.look', { flowId, nodeId }))
  }, [flowId, nodeId])
  useEffect(() => {
    return () => tell('chatFlow.look', { flowId: null, nodeId: null })
  }, [])
}
