import { actsOf, type HandsetAct } from '../handset.ts'
import { sampleMedia } from '../samples.ts'
import type { createSending } from './sending.ts'
import type { State } from './state.ts'

const words = { name: 'text', label: 'Texto', isLong: true, isRequired: true }

/** What people do on Messenger and Instagram, and what the business writes in the app itself. */
export const createActs = (state: State, { echo }: ReturnType<typeof createSending>): HandsetAct[] =>
  actsOf(
    () => state.customers,
    [
      {
        id: 'story-reply',
        label: 'Responder a um story',
        fields: [words],
        run: (customer, { text = '' }) => customer.replyToStory(text),
      },
      { id: 'story-mention', label: 'Mencionar em um story', run: (customer) => customer.mentionInStory() },
      { id: 'like', label: 'Mandar um coração', run: (customer) => customer.like() },
      {
        id: 'album',
        label: 'Duas fotos juntas',
        run: (customer) => customer.sendAlbum([sampleMedia('image'), sampleMedia('image')]),
      },
      {
        id: 'share',
        label: 'Compartilhar um link',
        fields: [
          { name: 'title', label: 'Título', value: 'Vaso Jatobá' },
          { name: 'url', label: 'Endereço', value: 'https://loja-aurora.com.br/vaso', isRequired: true },
        ],
        run: (customer, { url = '', title = '' }) => customer.share(url, title),
      },
      {
        id: 'comment',
        label: 'Comentar em uma publicação',
        fields: [words],
        run: (customer, { text = '' }) => customer.comment(text),
      },
      { id: 'unsupported', label: 'Algo que a API não conta', run: (customer) => customer.unsupported() },
      {
        id: 'echo',
        label: 'A loja escreve pelo aplicativo',
        fields: [words],
        run: (customer, { text = '' }) => echo(customer, text),
      },
      { id: 'unsend', label: 'Apagar', of: 'customer', run: (customer, _values, line) => customer.unsend(line) },
      {
        id: 'edit',
        label: 'Editar',
        of: 'customer',
        fields: [words],
        run: (customer, { text = '' }, line) => customer.edit(line, text),
      },
    ],
  )
