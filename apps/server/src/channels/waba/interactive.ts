import { isNumbered } from '@balcao/contract/channels/template-text.ts'
import { z } from 'zod'
import { ChannelError, type Outbound, type ProviderTemplate } from '../adapter.ts'
import { type Context, graph } from './graph.ts'

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

/** A template with its values, as `POST /messages` takes it. */
export const templateOf = ({ template }: Outbound, file: { id: string; name: string } | null): object => {
  if (!template) throw new ChannelError('final', 'O modelo desta mensagem não foi encontrado.')
  const { name, language } = template
  const components = [headerOf(template, file), bodyOf(template), ...buttonsOf(template)].filter(Boolean)
  const code = { name, language: { code: language } }
  return components.length ? { ...code, components } : code
}

type Template = NonNullable<Outbound['template']>

const headerOf = ({ shape: { header }, header: values }: Template, file: { id: string; name: string } | null) => {
  if (!header) return undefined
  if (header.kind === 'text') {
    return header.places.length ? { type: 'header', parameters: textsOf(header.places, values) } : undefined
  }
  if (!file) throw new ChannelError('final', 'O arquivo do cabeçalho deste modelo não existe mais.')
  const media = { id: file.id, ...(header.kind === 'document' ? { filename: file.name } : {}) }
  return { type: 'header', parameters: [{ type: header.kind, [header.kind]: media }] }
}

const bodyOf = ({ shape: { body }, body: values }: Template) =>
  body.places.length ? { type: 'body', parameters: textsOf(body.places, values) } : undefined

/** Numbered places go by order, named ones by name. */
const textsOf = (places: string[], values: string[]) => {
  const isByOrder = isNumbered(places)
  return places.map((place, at) => ({
    type: 'text',
    ...(isByOrder ? {} : { parameter_name: place }),
    text: values[at] ?? '',
  }))
}

const buttonsOf = ({ shape, buttons: values }: Template) =>
  shape.buttons.flatMap(({ kind, takesValue }, at) => {
    const value = values[at]
    if (!takesValue || value === undefined) return []
    const parameter = kind === 'code' ? { type: 'coupon_code', coupon_code: value } : { type: 'text', text: value }
    return [
      { type: 'button', sub_type: kind === 'code' ? 'copy_code' : 'url', index: String(at), parameters: [parameter] },
    ]
  })

const templatePage = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      language: z.string(),
      category: z.string().catch(''),
      status: z.string().catch(''),
      components: z.array(z.record(z.string(), z.unknown())).catch([]),
    }),
  ),
  paging: z
    .object({ cursors: z.object({ after: z.string() }).partial(), next: z.string().optional() })
    .partial()
    .optional()
    .catch(undefined),
})
const perPage = 100
const mostPages = 100

/** All templates of the account, page by page. */
export const listTemplates = async (context: Context): Promise<ProviderTemplate[]> => {
  const found: ProviderTemplate[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({
      fields: 'id,name,status,category,language,components',
      limit: String(perPage),
      ...(after && { after }),
    })
    const answer = await graph(context, `${context.config.wabaId}/message_templates?${query}`, {}, true)
    const { data } = templatePage.safeParse(answer.json())
    if (!data) throw new ChannelError('retry', 'A Meta não entregou os modelos agora. Tente de novo em instantes.')
    found.push(...data.data.map(({ id, ...one }) => ({ externalId: id, ...one })))
    after = data.paging?.next ? data.paging.cursors?.after : undefined
    if (!after) return found
  }
  return found
}
