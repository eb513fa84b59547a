import type { ProtocolPage, TranscriptCheck, transcriptFormats } from '@balcao/contract/service/protocols.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

/** Asked without a login: the address is the key. */
export const protocolPage = (token: string) =>
  queryOptions({
    queryKey: ['public-protocol', token],
    queryFn: ({ signal }) => api.get<ProtocolPage>(`/protocol/${encodeURIComponent(token)}`, { signal, quiet: true }),
    retry: false,
    refetchInterval: 60_000,
  })

export type Format = (typeof transcriptFormats)[number]
export const transcriptUrl = (token: string, format: Format) =>
  `/api/protocol/${encodeURIComponent(token)}/transcript?format=${format}`

export const checkTranscript = (token: string, sha256: string) =>
  api.get<TranscriptCheck>(`/protocol/${encodeURIComponent(token)}/verify`, { query: { sha256 }, quiet: true })

/** The fingerprint of a file, as 64 letters and digits. */
export const sha256Of = async (file: Blob): Promise<string> => {
  const bytes = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
