import { z } from 'zod'
import { type ChannelAdapter, type ChannelContext, ChannelError } from '../adapter.ts'
import { ask, pageMessaging, subscribe } from '../meta/page.ts'
import { partsOfApp } from '../meta/split.ts'

/** Direct messages of a professional account, by the page it is linked to or by its own login. */
export const instagram: ChannelAdapter<'instagram'> = {
  ...pageMessaging,
  hook: { ...pageMessaging.hook, partsOfApp: partsOfApp('instagram') },
  send: async (message, context) => {
    if (message.media) checkFile(message.media)
    return pageMessaging.send(message, context)
  },
  accountOf: ({ instagramId }) => ({ id: instagramId, field: 'instagramId' }),
  connect: async (context) => {
    const { id, name, username } = await ownAccount(context)
    if (id !== context.config.instagramId)
      throw new ChannelError(
        'final',
        'A Meta não reconhece esta conta do Instagram. Confira os IDs e o token do canal.',
      )
    // Only the token of the page, or of the account itself, may do this: whoever connects it has it.
    await subscribe(context)
    const shown = username ? `@${username}` : (name ?? id)
    return { text: `Conectado a ${shown}.`, account: { name, handle: username } }
  },
}

const words = z.string().optional().catch(undefined)
const linked = z.object({ instagram_business_account: z.object({ id: z.string(), name: words, username: words }) })
const own = z.object({ user_id: z.coerce.string(), name: words, username: words })
/** The account this token speaks for. Fields: Meta's references of Page and of the Instagram API, not in the sheet. */
const ownAccount = async (
  context: ChannelContext<'instagram'>,
): Promise<{ id?: string; name?: string; username?: string }> => {
  const { login, pageId } = context.config
  if (login === 'instagram') {
    const { data } = own.safeParse(await ask(context, 'me?fields=user_id,name,username'))
    return { id: data?.user_id, name: data?.name, username: data?.username }
  }
  const told = await ask(context, `${pageId}?fields=instagram_business_account{id,name,username}`)
  return linked.safeParse(told).data?.instagram_business_account ?? {}
}

const limits = {
  image: { mimes: ['image/png', 'image/jpeg'], megabytes: 8 },
  video: {
    mimes: ['video/mp4', 'video/ogg', 'video/avi', 'video/x-msvideo', 'video/quicktime', 'video/webm'],
    megabytes: 25,
  },
}
/** Known before Meta refuses it without saying why. */
const checkFile = ({ mime, size }: { mime: string; size: number }) => {
  const [of = ''] = mime.split('/')
  const limit = of === 'image' ? limits.image : limits.video
  if (!limit.mimes.includes(mime))
    throw new ChannelError('final', 'O Instagram leva fotos em JPEG ou PNG e vídeos em MP4, MOV, WebM, AVI ou OGG.')
  if (size > limit.megabytes * 1_000_000)
    throw new ChannelError('final', `O arquivo é grande demais para o Instagram: o limite é de ${limit.megabytes} MB.`)
}
