import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { direct } from '../../../kit/egress.ts'
import { log } from '../../../kit/log.ts'
import { thumbnail } from './thumbnail.ts'

const mostBytes = 8_000_000

/**
 * The picture at an address of a provider's, `px` at its longer side, as a data address: our pages show no pictures of
 * other places. Null where there is none that can be drawn.
 */
export const smallPicture = async (tenantId: number, url: string, px: number): Promise<string | null> => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-picture-'))
  const [path, thumbPath] = [join(folder, 'whole'), join(folder, 'small.webp')]
  try {
    const answer = await direct.stream(url, { timeoutMs: 10_000, maxBytes: mostBytes })
    await pipeline(answer.body, createWriteStream(path))
    if (answer.status !== 200 || !(await thumbnail(tenantId, { path, thumbPath, px }))) return null
    return `data:image/webp;base64,${(await readFile(thumbPath)).toString('base64')}`
  } catch (error) {
    log.debug({ err: error, tenantId }, 'picture not shown')
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
