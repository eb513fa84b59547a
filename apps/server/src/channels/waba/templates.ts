import { z } from 'zod'
import { type ChannelAdapter, ChannelError, type OutboundFile, type TemplateToJudge } from '../adapter.ts'
import { createGraph, type Refusal } from '../meta/graph.ts'
import { componentsOf, formatOf } from '../meta-template-drafts.ts'
import { refusal, ruleOf } from './errors.ts'
import type { Context } from './graph.ts'

/**
 * What Meta says of a template it does not take, by its subcode. The first two stand in its public typings; the others are
 * general knowledge of its error list.
 */
const reasons: Record<number, string> = {
  2388024: 'Já existe um modelo com este nome neste idioma.',
  2593002: 'Este modelo não existe mais na Meta. Atualize a lista.',
  2388023: 'Um modelo com este nome foi excluído há pouco. Espere 4 semanas ou use outro nome.',
  2388019: 'Esta conta chegou ao número de modelos que a Meta permite. Exclua os que não usa.',
  2388040: 'Uma das partes passou do tamanho que a Meta aceita. Encurte o texto.',
  2388047: 'A Meta não aceita este cabeçalho. Tire quebras de linha, emojis e formatação.',
  2388072: 'A Meta não aceita este texto. Confira variáveis e formatação.',
  2388073: 'A Meta não aceita este rodapé. Tire variáveis e formatação.',
  2388293: 'Há variáveis demais para tão pouco texto. Escreva mais palavras ou tire variáveis.',
  2388299: 'O texto não pode começar nem terminar com uma variável.',
}

/** What is wrong with a template is said as Meta says it; the rest is as of every call. */
const judged = (no: Refusal): ChannelError => {
  const known = reasons[no.subcode ?? 0]
  if (known) return new ChannelError('final', known)
  const rule = no.code === undefined ? undefined : ruleOf(no.code)
  if (rule?.isConnectionBroken || rule?.outcome === 'retry' || no.code === undefined) return refusal(no)
  const why = no.advice ?? no.details
  return new ChannelError('final', why ? `A Meta não aceitou: ${why}` : 'A Meta não aceitou este modelo.')
}
const { graph } = createGraph(judged)

const json = (body: object) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const created = z.object({ id: z.string(), status: z.string().catch('PENDING'), category: z.string().optional() })

/** Templates of the account (waba-meta.md §5): a name and language can be made once, and each is judged anew when changed. */
export const editTemplates: NonNullable<ChannelAdapter<'waba'>['editTemplates']> = {
  create: async (target, context) => {
    const { draft } = target
    const components = componentsOf(draft, await handleOf(target, context))
    const { name, language, category } = draft
    const body = { name, language, category, parameter_format: formatOf(draft), components }
    const answer = await graph(context, `${context.config.wabaId}/message_templates`, json(body))
    const { data } = created.safeParse(answer.json())
    if (!data) throw new ChannelError('uncertain', 'A Meta não confirmou o modelo. Atualize a lista para conferir.')
    return { externalId: data.id, status: data.status, category: data.category ?? category, components }
  },
  change: async (target, context) => {
    const { draft, externalId, keepsCategory } = target
    const components = componentsOf(draft, await handleOf(target, context))
    const category = keepsCategory ? {} : { category: draft.category }
    const body = { ...category, parameter_format: formatOf(draft), components }
    await graph(context, encodeURIComponent(externalId), json(body), true)
    return { components }
  },
  remove: async ({ externalId, name }, context) => {
    const query = new URLSearchParams({ name, hsm_id: externalId })
    await graph(context, `${context.config.wabaId}/message_templates?${query}`, { method: 'DELETE' }, true)
  },
}

/** The example of a header goes up by a resumable upload of the app: `app` is the one whose token asks. */
const handleOf = async ({ file }: TemplateToJudge, context: Context): Promise<string | null> => {
  if (!file) return null
  return uploaded(context, await uploadSession(context, file), await file.bytes())
}

type Uploading = Pick<OutboundFile, 'name' | 'mime' | 'size'>
/** Begins a resumable upload. */
export const uploadSession = async (context: Context, { name, size, mime }: Uploading): Promise<string> => {
  const about = new URLSearchParams({ file_name: name, file_length: String(size), file_type: mime })
  const opened = await graph(context, `app/uploads?${about}`, { method: 'POST' }, true)
  const { data } = z.object({ id: z.string() }).safeParse(opened.json())
  if (!data) throw new ChannelError('retry', 'A Meta não aceitou o arquivo agora.')
  return data.id
}

/** Bytes of a resumable upload: what is sent there is known by its handle. */
export const uploaded = async (context: Context, session: string, bytes: Buffer): Promise<string> => {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', file_offset: '0' },
    body: bytes,
    timeoutMs: 120_000,
  } as const
  const answer = await graph(context, session, request, true)
  const { data } = z.object({ h: z.string() }).safeParse(answer.json())
  if (!data) throw new ChannelError('retry', 'A Meta não aceitou o arquivo agora.')
  return data.h
}
