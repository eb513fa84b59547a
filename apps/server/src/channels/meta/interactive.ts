import { ChannelError, type Outbound } from '../adapter.ts'

/** Buttons and lists as `POST /messages` takes them. */
export const interactiveOf = ({ interactive, body }: Outbound): object => {
  if (!interactive) throw new ChannelError('final', 'Esta mensagem não tem opções.')
  const { kind, header, footer, button, options } = interactive
  const around = {
    ...(header && { header: { type: 'text', text: header } }),
    body: { text: body },
    ...(footer && { footer: { text: footer } }),
  }
  if (kind === 'buttons') {
    const buttons = options.map(({ id, title }) => ({ type: 'reply', reply: { id, title } }))
    return { type: 'button', ...around, action: { buttons } }
  }
  const rows = options.map(({ id, title, description }) => ({ id, title, ...(description && { description }) }))
  return { type: 'list', ...around, action: { button: button || 'Ver opções', sections: [{ rows }] } }
}
