import { useEffect, useState } from 'react'
import { type ChatRow, sideOf } from './rows.ts'

/** What came from others since the reader was last at the end; what was loaded on the way back to now is no news. */
export const useUnseen = (rows: readonly ChatRow[], isAtEnd: boolean, hasNewer: boolean) => {
  const lastSeq = rows.findLast((row) => row.message.seq !== Number.MAX_SAFE_INTEGER)?.message.seq ?? 0
  const [seenSeq, setSeen] = useState(lastSeq)
  const [hadNewer, setHadNewer] = useState(hasNewer)
  if (hadNewer && seenSeq < lastSeq) setSeen(lastSeq)
  if (hadNewer !== hasNewer) setHadNewer(hasNewer)
  useEffect(() => {
    if (isAtEnd && !document.hidden) setSeen(lastSeq)
  }, [isAtEnd, lastSeq])
  return rows
    .map((row) => row.message)
    .filter((message) => message.seq > seenSeq && message.seq <= lastSeq && sideOf(message) === 'theirs')
}
