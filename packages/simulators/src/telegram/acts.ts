import { actsOf, type HandsetAct } from '../handset.ts'
import { sampleMedia } from '../samples.ts'
import type { Chats } from './chats.ts'
import type { Chat } from './customer.ts'
import type { State } from './state.ts'

const words = { name: 'text', label: 'Texto', isLong: true, isRequired: true }

/** What people do on Telegram beside writing to the bot. */
export const createActs = (state: State, chats: Chats): HandsetAct[] => {
  const groups = () => [...state.chats.values()].filter(({ type, migratedTo }) => type !== 'private' && !migratedTo)
  const groupOf = (title: string, member: Chat['members'][number]): Chat => {
    const found = groups().find((group) => group.title === title)
    if (!found) return chats.group({ title, members: [member] })
    if (!found.members.includes(member)) found.members.push(member)
    return found
  }
  return actsOf(
    () => state.customers,
    [
      {
        id: 'album',
        label: 'Álbum de duas fotos',
        fields: [{ name: 'caption', label: 'Legenda' }],
        run: (customer, { caption }) => customer.sendAlbum([sampleMedia('image'), sampleMedia('image')], caption),
      },
      { id: 'video-note', label: 'Vídeo redondo', run: (customer) => customer.sendVideoNote() },
      {
        id: 'forward',
        label: 'Encaminhar um texto',
        fields: [words],
        run: (customer, { text = '' }) => customer.sendText(text, { isForwarded: true }),
      },
      {
        id: 'start',
        label: 'Abrir o bot por um link',
        fields: [{ name: 'payload', label: 'O que o link diz', value: 'panfleto' }],
        run: (customer, { payload }) => customer.start(payload),
      },
      { id: 'phone', label: 'Contar o próprio telefone', run: (customer) => customer.sharePhone() },
      { id: 'block', label: 'Bloquear o bot', run: (customer) => customer.block() },
      { id: 'unblock', label: 'Desbloquear o bot', run: (customer) => customer.unblock() },
      {
        id: 'group',
        label: 'Escrever em um grupo',
        fields: [
          { name: 'title', label: 'Grupo', value: 'Clientes da Aurora', isRequired: true },
          { name: 'topic', label: 'Tópico (opcional)' },
          words,
        ],
        run: async (customer, { title = '', topic, text = '' }) => {
          const chat = groupOf(title, customer)
          const known = [...(chat.topics ?? [])].find(([, name]) => name === topic)
          const place = known ? { message_thread_id: known[0], is_topic_message: true } : undefined
          const extra = topic ? (place ?? (await chats.topic(chat, topic))) : undefined
          return customer.sendText(text, { chat, extra })
        },
      },
      {
        id: 'migrate',
        label: 'O grupo vira supergrupo',
        fields: [{ name: 'title', label: 'Grupo', value: 'Clientes da Aurora', isRequired: true }],
        run: (_customer, { title }) => {
          const group = groups().find((one) => one.title === title)
          if (!group) throw new Error('Não há um grupo com este nome.')
          return chats.migrate(group)
        },
      },
      {
        id: 'edit',
        label: 'Editar',
        of: 'customer',
        fields: [words],
        run: (customer, { text = '' }, line) => customer.editText(line, text),
      },
    ],
  )
}
