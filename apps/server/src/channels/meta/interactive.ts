import { isRequest } from '@balcao/contract/conversations/interactive.ts'
import { ChannelError, type Outbound } from '../adapter.ts'

/** Choices and requests as `POST /messages` takes them. */
export const interactiveOf = ({ id, interactive, body }: Outbound): object => {
  if (!interactive) throw new ChannelError('final', 'Esta mensagem não tem opções.')
  const { kind, header, footer, button, options } = interactive
  const around = {
    ...(header && { header: { type: 'text', text: header } }),
    body: { text: body },
    ...(footer && { footer: { text: footer } }),
  }
  if (isRequest(interactive)) return requestOf(interactive, around, id)
  if (kind === 'buttons') {
    const buttons = options.map(({ id, title }) => ({ type: 'reply', reply: { id, title } }))
    return { type: 'button', ...around, action: { buttons } }
  }
  const rows = options.map(({ id, title, description }) => ({ id, title, ...(description && { description }) }))
  return { type: 'list', ...around, action: { button: button || 'Ver opções', sections: [{ rows }] } }
}

type Interactive = NonNullable<Outbound['interactive']>
type Around = { header?: object; body: object; footer?: object }

/** Only forms, links and lists of products take what stands above; the token of a form comes back with its answers. */
const requestOf = (asked: Interactive, { header, ...around }: Around, messageId: string): object => {
  const { kind, button, url, form, catalog, country } = asked
  const [first, ...others] = catalog?.sections.flatMap(({ products }) => products) ?? []
  switch (kind) {
    case 'place':
      return { type: 'location_request_message', body: around.body, action: { name: 'send_location' } }
    case 'link':
      return linked('cta_url', { header, ...around }, { display_text: button, url })
    case 'form':
      return linked(
        'flow',
        { header, ...around },
        {
          flow_message_version: '3',
          flow_token: messageId,
          flow_id: form?.id,
          flow_cta: button,
          flow_action: 'navigate',
          ...(form?.screen && { flow_action_payload: { screen: form.screen } }),
        },
      )
    case 'address':
      return linked('address_message', around, { country })
    case 'catalog':
      return linked('catalog_message', around, first && { thumbnail_product_retailer_id: first.id })
    default:
      return others.length || !first
        ? {
            type: 'product_list',
            header,
            ...around,
            action: { catalog_id: catalog?.id, sections: sectionsOf(catalog) },
          }
        : { type: 'product', ...around, action: { catalog_id: catalog?.id, product_retailer_id: first.id } }
  }
}

/** The kinds whose action has the name of their type. */
const linked = (name: string, around: Around, parameters: object | undefined) => ({
  type: name,
  ...around,
  action: { name, ...(parameters && { parameters }) },
})

const sectionsOf = (catalog: Interactive['catalog']) =>
  catalog?.sections.map(({ title, products }) => ({
    ...(title && { title }),
    product_items: products.map(({ id }) => ({ product_retailer_id: id })),
  }))
