import { ChannelError } from '../../../channels/adapter.ts'
import { fileAt } from '../../../channels/file-at.ts'
import type { Actor } from '../../../kit/actor.ts'
import { direct } from '../../../kit/egress.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { storeFile } from '../../core/media/media.service.ts'

/** Fetches what lies at a public address and keeps it as a file of this person: its id. */
export const fileFromUrl = async (actor: Actor, url: string): Promise<string> => {
  const unread = fieldErrors({ path: 'url', message: 'Não conseguimos baixar o arquivo deste endereço.' })
  const { stream } = await fileAt(url, direct, () => new ChannelError('final', '')).catch((error) => {
    throw error instanceof ChannelError ? unread : error
  })
  if (!stream) throw unread
  const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') || 'arquivo'
  const { id } = await storeFile({ tenantId: actor.tenantId, userId: actor.userId, stream, name })
  return id
}
