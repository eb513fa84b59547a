import { useEffect, useState } from 'react'
import { type ChatRow, sideOf } from './rows.ts'

/** What came from others since the reader was last at the end; what was loaded on the way back to now is no news. */
export const useUnseen = (rows: readonly ChatRow[], isAtEnd: boolean, hasNewer: boolean) => {
  const stored = rows
    .flatMap(({ message, album = [message] }) => album)
    .filter(({ seq }) => seq !== Number.MAX_SAFE_INTEGER)
  const lastSeq = stored.at(-1)?.seq ?? 0
  const [seenSeq, setSeen] = useState(lastSeq)
  const [hadNewer, setHadNewer] = useState(hasNewer)
  if (hadNewer && seenSeq < lastSeq) setSeen(lastSeq)
  if (hadNewer !== hasNewer) setHadNewer(hasNewer)
  useEffect(() => {
    if (isAtEnd && !document.hidden) setSeen(lastSeq)
  }, [isAtEnd, lastSeq])
  return stored.filter((message) => message.seq > seenSeq && message.seq <= lastSeq && sideOf(message) === 'theirs')
}
