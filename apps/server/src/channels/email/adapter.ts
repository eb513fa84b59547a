import { z } from 'zod'
import { type ChannelAdapter, ChannelError } from '../adapter.ts'
import { checkMailbox } from './check.ts'
import { inbox, inFolder, mostBytes, openMailbox } from './imap.ts'
import { nameOf } from './letter.ts'
import { parse, split } from './parse.ts'
import { messageIdOf, sendAttached, sendMail, withServer } from './send.ts'
import { openInbox, readMail } from './session.ts'

/** A mailbox: read by IMAP as messages arrive, answered by SMTP. */
export const email: ChannelAdapter<'email'> = {
  session: { open: openInbox, remote: [] },
  split,
  parse,
  chooseId: messageIdOf,
  send: sendMail,
  sendAttached,
  fetchMedia: async (source, context) => {
    const gone = new ChannelError('final', 'O arquivo não está mais na caixa de e-mail.', { isGone: true })
    const { data: place } = z
      .object({ validity: z.string(), uid: z.int(), at: z.int(), folder: z.string().default(inbox) })
      .safeParse(source)
    if (!place) throw gone
    const raw = await inFolder(context, place.folder, async (client) => {
      if (!client.mailbox || String(client.mailbox.uidValidity) !== place.validity) throw gone
      const found = await client.fetchOne(
        String(place.uid),
        { source: { start: 0, maxLength: mostBytes } },
        { uid: true },
      )
      return found ? found.source : undefined
    })
    const file = raw && (await readMail(raw)).attachments[place.at]
    if (!file) throw gone
    const { content } = file
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array)
    return { bytes, mime: file.mimeType, name: nameOf(file) }
  },
  check: checkMailbox,
  accountOf: ({ address }) => ({ id: address.toLowerCase(), field: 'address' }),
  connect: async (context) => {
    const { address, fromName } = context.config
    await (await openMailbox(context)).logout()
    await withServer(context, async () => {})
    return { text: `Conectado a ${address}.`, account: { name: fromName || address, handle: address } }
  },
}
