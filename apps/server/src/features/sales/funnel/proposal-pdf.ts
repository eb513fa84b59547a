import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createHeavy } from '../../../kit/heavy/heavy.ts'
import { storage } from '../../../kit/storage.ts'
import { findFile } from '../../core/media/media.service.ts'
import type { ProposalPdf } from './proposal-pdf.task.ts'

const setPdf = createHeavy<ProposalPdf, never, void>(new URL('./proposal-pdf.task.ts', import.meta.url), {
  processes: 1,
  memoryMb: 256,
  timeMs: 60_000,
  mostWaiting: 20,
  niceness: 5,
})

type Asked = Omit<ProposalPdf, 'path' | 'logoPath'> & { tenantId: number; logoId: string | null }
/** A proposal as a PDF: a few pages, so it is answered whole. Throws ERR_TOO_HEAVY. */
export const proposalPdf = async ({ tenantId, logoId, ...given }: Asked): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-proposta-'))
  try {
    const path = join(folder, 'proposta.pdf')
    const logoPath = logoId ? await copyOf(tenantId, logoId, join(folder, 'logo')) : null
    await setPdf(tenantId, { input: { ...given, path, logoPath } })
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Null where it cannot be read: the words are worth having without it. */
const copyOf = async (tenantId: number, fileId: string, path: string): Promise<string | null> => {
  const row = await findFile(tenantId, fileId)
  if (!row) return null
  try {
    await pipeline(await (await storage()).read(row.key), createWriteStream(path, { mode: 0o600 }))
    return path
  } catch {
    return null
  }
}
