import { z } from 'zod'
import type { HttpAnswer, HttpRequest } from '../../kit/egress.ts'
import { loose } from '../../kit/loose.ts'
import { ChannelError, type Outbound, type ProviderTemplate } from '../adapter.ts'
import { fileOf, noAnswer } from '../http-errors.ts'
import { listTemplates } from '../meta-templates.ts'
import { gone } from '../whatsapp/files.ts'
import { type Context, refusalOfMeta } from './api.ts'

/** What Evolution does not do for an instance on Meta's API is asked of Meta, with the token of the instance. */
const ask = async ({ config, http }: Context, path: string, request: HttpRequest = {}): Promise<HttpAnswer> => {
  if (!config.metaToken || !config.graphUrl) throw refusalOfMeta({ code: 190, message: '' })
  const headers = { ...request.headers, authorization: `Bearer ${config.metaToken}` }
  const url =
    path.startsWith('https:') || path.startsWith('http:') ? path : `${config.graphUrl.replace(/\/+$/, '')}/${path}`
  const answer = await http(url, { timeoutMs: 120_000, ...request, headers }).catch((error) => {
    throw noAnswer(error, true)
  })
  if (answer.status === 401) throw refusalOfMeta({ code: 190, message: '' })
  if (answer.status >= 500 || answer.status === 429)
    throw new ChannelError('retry', 'A Meta está instável agora. Tente de novo em instantes.')
  return answer
}

const graphFile = z.object({ url: z.url(), mime_type: loose(z.string()) })
/** Evolution keeps no file of such an instance: it is had where it is. */
export const fetchFromMeta = async (id: string, context: Context) => {
  if (!context.config.metaToken) throw gone()
  const found = graphFile.safeParse((await ask(context, encodeURIComponent(id))).json()).data
  if (!found) throw gone()
  const { status, bytes } = await ask(context, found.url, { maxBytes: 110_000_000 })
  if (status !== 200) throw new ChannelError('retry', 'A Meta não entregou o arquivo agora.')
  return { bytes, mime: found.mime_type }
}

/** Evolution lists the first of them alone. */
export const templatesOf = async (context: Context): Promise<ProviderTemplate[]> => {
  const { integration, businessId } = context.config
  if (integration !== 'WHATSAPP-BUSINESS' || !businessId) return []
  return listTemplates(async (path) => (await ask(context, path)).json(), businessId)
}

/** The file of a template's header. Nobody sees an upload until it is sent, so it may be repeated. */
export const uploadToMeta = async (message: Outbound, context: Context): Promise<{ id: string; name: string }> => {
  const { file, name, mime } = await fileOf(message)
  const { FormData } = await import('undici')
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('type', mime)
  form.set('file', file, name)
  const answer = await ask(context, `${context.config.phoneNumberId}/media`, { method: 'POST', body: form })
  const { data } = z.object({ id: z.string() }).safeParse(answer.json())
  if (!data) throw new ChannelError('retry', 'A Meta não aceitou o arquivo agora.')
  return { id: data.id, name }
}
