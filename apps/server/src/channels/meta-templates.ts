import { isNumbered } from '@balcao/contract/channels/template-text.ts'
import { z } from 'zod'
import { ChannelError, type Outbound, type ProviderTemplate } from './adapter.ts'

/** The file of a header: uploaded before, or where it lies. */
type HeaderFile = { name: string } & ({ id: string } | { link: string })

/** A template with its values, as `POST /messages` takes it. */
export const templateOf = ({ template }: Outbound, file: HeaderFile | null): Whole => {
  if (!template) throw new ChannelError('final', 'O modelo desta mensagem não foi encontrado.')
  const { name, language } = template
  const components = [headerOf(template, file), bodyOf(template), ...buttonsOf(template)].filter(
    (one) => one !== undefined,
  )
  const code = { name, language: { code: language } }
  return components.length ? { ...code, components } : code
}

type Template = NonNullable<Outbound['template']>
type Whole = { name: string; language: { code: string }; components?: object[] }

const headerOf = ({ shape: { header }, header: values }: Template, file: HeaderFile | null) => {
  if (!header) return undefined
  if (header.kind === 'text') {
    return header.places.length ? { type: 'header', parameters: textsOf(header.places, values) } : undefined
  }
  if (!file) throw new ChannelError('final', 'O arquivo do cabeçalho deste modelo não existe mais.')
  const { name: filename, ...place } = file
  const media = { ...place, ...(header.kind === 'document' && { filename }) }
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
      rejected_reason: z.string().optional().catch(undefined),
      quality_score: z.object({ score: z.string() }).optional().catch(undefined),
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

/** All templates of the account, page by page; `ask` gets what a path of Meta's API says. */
export const listTemplates = async (
  ask: (path: string) => Promise<unknown>,
  wabaId: string,
): Promise<ProviderTemplate[]> => {
  const found: ProviderTemplate[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({
      fields: 'id,name,status,category,language,components,rejected_reason,quality_score',
      limit: String(perPage),
      ...(after && { after }),
    })
    const { data } = templatePage.safeParse(await ask(`${wabaId}/message_templates?${query}`))
    if (!data) throw new ChannelError('retry', 'A Meta não entregou os modelos agora. Tente de novo em instantes.')
    found.push(
      ...data.data.map(({ id, rejected_reason, quality_score, ...one }) => ({
        externalId: id,
        ...one,
        rejectedReason: rejected_reason === 'NONE' ? undefined : rejected_reason,
        quality: quality_score?.score === 'UNKNOWN' ? undefined : quality_score?.score,
      })),
    )
    after = data.paging?.next ? data.paging.cursors?.after : undefined
    if (!after) return found
  }
  return found
}
