import { z } from 'zod'
import { type ChannelAdapter, ChannelError } from '../adapter.ts'
import { ask, pageMessaging, subscribe } from '../meta/page.ts'
import { partsOfApp } from '../meta/split.ts'

/** Messages of a Facebook page. */
export const messenger: ChannelAdapter<'messenger'> = {
  ...pageMessaging,
  hook: { ...pageMessaging.hook, partsOfApp: partsOfApp('page') },
  accountOf: ({ pageId }) => ({ id: pageId, field: 'pageId' }),
  connect: async (context) => {
    const { pageId } = context.config
    const page = pageCard.safeParse(await ask(context, `${pageId}?fields=id,name`)).data
    if (page?.id !== pageId)
      throw new ChannelError('final', 'A Meta não reconhece esta página. Confira o ID e o token do canal.')
    // Only the page's own token may do this: whoever connects it has it.
    await subscribe(context)
    return { text: `Conectado a ${page.name ?? pageId}.`, account: { name: page.name } }
  },
}

const pageCard = z.object({ id: z.string(), name: z.string().optional() })
