import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { type ChannelAdapter, ChannelError, type Listed } from '../adapter.ts'
import { fileAt } from '../file-at.ts'
import { notOnWhatsApp } from '../whatsapp/disconnects.ts'
import { formsOf, identitiesOf } from '../whatsapp/jids.ts'
import { listed } from '../whatsapp/phone-book.ts'
import { ask, type Context, enqueue } from './api.ts'
import { asParticipants, groupAct, metadata } from './groups.ts'
import { check, connect, disconnect, link, unlink, verify } from './instance.ts'
import { parse } from './parse.ts'
import { jidOf, phoneOf } from './phones.ts'
import { bodyOf } from './send.ts'
import { split } from './split.ts'

/** Z-API (reference sheet zapi.md). It looks nothing up by an id of ours: there is no `find`. */
export const zapi: ChannelAdapter<'zapi'> = {
  hook: { verify },
  split,
  parse,
  send: async (message, context) => {
    const phone = phoneOf(message.to)
    const { path, body, late } = await bodyOf(message)
    const quoted = message.quotedProviderId ? { messageId: message.quotedProviderId } : {}
    const timeoutMs = message.media ? 120_000 : undefined
    return { providerId: await enqueue(context, path, { body: { phone, ...body, ...quoted }, timeoutMs, late }) }
  },
  react: async ({ providerId: messageId, to, emoji }, context) => {
    const body = { phone: phoneOf(to), messageId }
    if (emoji) await ask(context, 'send-reaction', { body: { ...body, reaction: emoji } })
    else await ask(context, 'send-remove-reaction', { body })
  },
  edit: async ({ providerId, to, body }, context) => {
    await ask(context, 'send-text', { body: { phone: phoneOf(to), message: body, editMessageId: providerId } })
  },
  remove: async ({ providerId: messageId, to, author }, context) => {
    const query = { messageId, phone: phoneOf(to), owner: String(!author) }
    await ask(context, 'messages', { method: 'DELETE', query })
  },
  markRead: async ({ providerId: messageId, to }, context) => {
    await ask(context, 'read-message', { body: { phone: phoneOf(to), messageId } })
  },
  fetchMedia: async (source, { egress }) => {
    const { url } = z.object({ url: z.url({ protocol: /^https?$/ }) }).safeParse(source).data ?? {}
    if (!url) throw gone()
    return fileAt(url, egress, gone)
  },
  participants: async ({ to }, context) => asParticipants(await groupOf(to, context)),
  /** Its list says no more than their names. */
  groups: (_target, context) => bookOf('groups', context),
  groupAct,
  numbers: async ({ numbers }, context) => {
    const phones = numbers.map((one) => one.replace(/\D/g, ''))
    const answer = await ask(context, 'phone-exists-batch', { body: { phones }, timeoutMs: 60_000 })
    const known = z
      .array(z.unknown())
      .catch([])
      .parse(answer)
      .flatMap((one) => checked.safeParse(one).data ?? [])
    return numbers.map((number, at) => {
      const forms = formsOf(phones[at] ?? '')
      const found = known.find((one) =>
        [one.inputPhone, one.outputPhone, one.phone].some((form) => form && forms.includes(form)),
      )
      const exists = found?.exists ?? false
      const identities: Identity[] = exists
        ? identitiesOf(jidOf(found?.outputPhone ?? found?.phone ?? phones[at]), jidOf(found?.lid))
        : []
      return { number, exists, identities }
    })
  },
  phoneBook: ({ of }, context) => bookOf(of, context),
  profile: async ({ to }, context) => {
    const phone = phoneOf(to)
    if (phone.includes('-')) {
      const { subject, description, adminOnlyMessage } = await groupOf(to, context)
      return { name: subject || undefined, description, isAdminsOnly: adminOnlyMessage }
    }
    const told = card.safeParse(await ask(context, `contacts/${encodeURIComponent(phone)}`)).data
    if (told?.exists === false) throw notOnWhatsApp()
    const { link: pictureUrl } =
      picture.safeParse(await ask(context, 'profile-picture', { query: { phone } })).data ?? {}
    return { name: told?.notify || told?.name || told?.short || undefined, pictureUrl }
  },
  accountOf: ({ baseUrl, instanceId }) =>
    instanceId ? { id: `${new URL(baseUrl).host}/${instanceId}`, field: 'instanceId' } : undefined,
  connect,
  link,
  unlink,
  check,
  disconnect,
}

const words = loose(z.string())
const groupOf = async (to: Identity[], context: Context) => {
  const { data } = metadata.safeParse(await ask(context, `group-metadata/${encodeURIComponent(phoneOf(to))}`))
  if (!data) throw new ChannelError('retry', 'A Z-API não disse quem está no grupo.')
  return data
}
/** The phone's book of people, or its groups by their names, page by page. */
const bookOf = async (of: 'people' | 'groups', context: Context): Promise<Listed[]> => {
  const all: Listed[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { page: String(page), pageSize: String(pageSize) }
    const answer = await ask(context, of === 'groups' ? 'groups' : 'contacts', { query, timeoutMs: 60_000 })
    const found = listed(answer, listedRow, ({ phone, name, short, notify }) => [
      jidOf(phone, of === 'groups'),
      name || short || notify,
    ])
    all.push(...found)
    if (found.length < pageSize) break
  }
  return all
}
const [pageSize, mostPages] = [500, 200]
const listedRow = z.object({ phone: words, name: words, short: words, notify: words })
const checked = z.object({ exists: z.boolean(), phone: words, inputPhone: words, outputPhone: words, lid: words })
const card = z.object({ name: words, notify: words, short: words, exists: loose(z.boolean()) })
const picture = z.object({ link: loose(z.url()) })

const gone = () =>
  new ChannelError(
    'final',
    'A Z-API não tem mais este arquivo (ela o guarda por 30 dias). Peça ao cliente para enviá-lo de novo.',
  )
