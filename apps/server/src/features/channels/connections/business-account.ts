import type {
  BusinessProfile,
  codeCheck,
  codeRequest,
  pinChange,
  profileChange,
  SipChange,
} from '@balcao/contract/channels/business.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { z } from 'zod'
import { type ChannelAdapter, ChannelError } from '../../../channels/adapter.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { readFileBytes } from '../../core/media/media.service.ts'
import { smallPicture } from '../../core/media/small-picture.ts'
import { sendableFile } from '../../core/media/stored-files.ts'
import { testConnection } from './connections.service.ts'
import { openOwn } from './running.ts'

type Account = NonNullable<ChannelAdapter<ChannelKind>['businessAccount']>
type Context = Parameters<Account['number']>[0]

/** One call about a business number, for a person who waits; what it changes is audited under `action`. */
const ask = async <T>(
  actor: Actor,
  id: string,
  call: (account: Account, context: Context) => Promise<T>,
  action?: string,
): Promise<T> => {
  const { row, adapter, context } = await openOwn(actor, id)
  if (!adapter.businessAccount)
    throw new AppError('ERR_CHANNEL_UNSUPPORTED', { message: 'Este canal não tem perfil comercial.' })
  try {
    const answer = await call(adapter.businessAccount, context)
    const entry = { entity: 'connection', entityId: id, before: null, after: { name: row.name, kind: row.kind } }
    if (action) await withTenant(actor.tenantId, (tx) => writeAudit(tx, actor, { action, ...entry }))
    return answer
  } catch (error) {
    if (error instanceof ChannelError) throw new AppError('ERR_CHANNEL_REFUSED', { message: error.textForCaller })
    throw error
  }
}

/** As the provider shows it; the picture as a data address, since our pages load none of other places. */
export const readProfile = (actor: Actor, id: string) =>
  ask(actor, id, async (account, context) => {
    const { pictureUrl, ...profile } = await account.profile(context)
    return { ...profile, pictureUrl: pictureUrl && (await smallPicture(actor.tenantId, pictureUrl, picturePx)) }
  })
/** Twice what the form shows. */
const picturePx = 144

/** What is public of the number changes at once at its provider; nothing of it is stored here. */
export const changeProfile = async (
  actor: Actor,
  id: string,
  { mediaId, ...profile }: z.output<typeof profileChange>,
) => {
  const target = {
    profile: profile satisfies BusinessProfile,
    picture: mediaId ? await pictureOf(actor, mediaId) : null,
  }
  await ask(actor, id, (account, context) => account.changeProfile(target, context), 'connection.profileChanged')
  return readProfile(actor, id)
}

const pictureOf = async (actor: Actor, mediaId: string) => {
  const of = [actor.tenantId, mediaId, actor.userId, actor.queueIds]
  const [file] = await withTenant(actor.tenantId, (tx) => tx.rows<StoredFile>(sendableFile, of))
  if (file?.kind !== 'image') throw fieldErrors({ path: 'mediaId', message: 'Escolha uma imagem.' })
  const { name, mime, size } = file
  return { name, mime, size, bytes: async () => (await readFileBytes(actor.tenantId, mediaId)).bytes }
}

export const readNumber = (actor: Actor, id: string) => ask(actor, id, (account, context) => account.number(context))

export const requestCode = (actor: Actor, id: string, target: z.output<typeof codeRequest>) =>
  ask(actor, id, (account, context) => account.requestCode(target, context), 'connection.codeRequested')
export const verifyCode = (actor: Actor, id: string, target: z.output<typeof codeCheck>) =>
  ask(actor, id, (account, context) => account.verifyCode(target, context), 'connection.codeVerified')
export const registerNumber = async (actor: Actor, id: string, target: z.output<typeof pinChange>) => {
  await ask(actor, id, (account, context) => account.register(target, context), 'connection.registered')
  await testConnection(actor.tenantId, id) // what its card says of it is another thing now
}
export const deregisterNumber = async (actor: Actor, id: string) => {
  await ask(actor, id, (account, context) => account.deregister(context), 'connection.deregistered')
  await testConnection(actor.tenantId, id)
}
export const setPin = (actor: Actor, id: string, target: z.output<typeof pinChange>) =>
  ask(actor, id, (account, context) => account.setPin(target, context), 'connection.pinChanged')
export const setSip = (actor: Actor, id: string, target: SipChange) =>
  ask(actor, id, (account, context) => account.setSip(target, context), 'connection.sipChanged')
export const takeWebhook = (actor: Actor, id: string) =>
  ask(actor, id, (account, context) => account.ownWebhook(context), 'connection.webhookTaken')
