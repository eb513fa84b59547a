import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { createHeavy } from '../../../kit/heavy/heavy.ts'
import { log } from '../../../kit/log.ts'
import type { DocumentInput, DocumentOutput } from '../knowledge/read-document.task.ts'

// Somebody waits for the answer.
const readDocument = createHeavy<DocumentInput, never, DocumentOutput>(
  new URL('../knowledge/read-document.task.ts', import.meta.url),
  { processes: 1, memoryMb: 500, timeMs: 60_000, mostWaiting: 20, niceness: 5 },
)

/** What of a document is put before a model: some four pages. */
const mostLetters = 12_000
const mostKept = 50
/** By file, which never changes: a conversation goes on about the same document. */
const kept = new Map<string, string>()

const readable = /^text\/|pdf$|wordprocessingml|spreadsheetml/
export const isReadable = (mime: string, name: string) => readable.test(mime) || /\.(txt|md|csv|docx|xlsx)$/i.test(name)

type Attachment = { tenantId: number; mediaId: string; bytes: Buffer; mime: string; name: string }
/** The beginning of what a document of the customer says, or why it cannot be read; read in a process of its own. */
export const readAttachment = async ({ tenantId, mediaId, bytes, mime, name }: Attachment): Promise<string> => {
  const key = `${tenantId}:${mediaId}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const path = join(tmpdir(), `balcao-${randomUUID()}`)
  try {
    await writeFile(path, bytes, { mode: 0o600 })
    const output = await readDocument(tenantId, { input: { path, mime, name } })
    const text =
      'refusal' in output
        ? `[não pôde ser lido: ${output.refusal}]`
        : output.sections.map(({ heading, body }) => [heading, body].filter(Boolean).join('\n')).join('\n\n')
    const said = text.length > mostLetters ? `${cutText(text, mostLetters)}\n[o documento continua]` : text
    kept.set(key, said)
    for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest)
    return said
  } catch (error) {
    log.warn({ err: error, tenantId, mediaId }, 'document of a customer not read')
    return '[não pôde ser lido]'
  } finally {
    await rm(path, { force: true })
  }
}
