import type { Interactive } from '../../conversations/messages.ts'
import { blankPart, type Part } from '../../conversations/parts.ts'
import type { NodeData } from './graph.ts'

/** What a step asks for, as the message it sends. */
export const requestOf = ({
  asks: kind,
  header,
  footer,
  button,
  url,
  form,
  catalog,
}: NodeData<'request'>): Interactive => {
  const hasHeader = kind === 'link' || kind === 'form' || kind === 'products'
  return {
    kind,
    header: hasHeader ? header.trim() : '',
    footer: kind === 'place' ? '' : footer.trim(),
    button: kind === 'link' || kind === 'form' ? button.trim() : '',
    options: [],
    ...(kind === 'link' && { url: url.trim() }),
    ...(kind === 'form' && form && { form }),
    ...(kind === 'products' && catalog && { catalog }),
  }
}
export const requestPart = (data: NodeData<'request'>): Part => ({
  ...blankPart('choices'),
  body: data.body,
  interactive: requestOf(data),
})
