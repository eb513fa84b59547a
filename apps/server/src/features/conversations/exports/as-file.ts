import { Readable } from 'node:stream'
import type { ExportFormat } from '@balcao/contract/conversations/exports.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { asPdf } from './as-pdf.ts'
import { asText } from './as-text.ts'
import type { Conversation } from './conversation.ts'

type Asked = { tenantId: number; signal: AbortSignal }

export const bodyOf = async (format: ExportFormat, conversation: Conversation, asked: Asked): Promise<Readable> => {
  if (format === 'pdf') return asPdf(conversation, asked)
  if (format === 'text') return Readable.from(asText(conversation), { objectMode: false })
  // Its libraries come when they are asked for.
  return Readable.from((await import('./as-html.ts')).asHtml(conversation), { objectMode: false })
}

export const mimeOf = (format: ExportFormat): string => kinds[format].type

const kinds = {
  pdf: { type: 'application/pdf', extension: 'pdf' },
  html: { type: 'application/zip', extension: 'zip' },
  text: { type: 'text/plain; charset=utf-8', extension: 'txt' },
} as const satisfies Record<ExportFormat, { type: string; extension: string }>

/** `conversa-joao-da-silva-20261118000123.pdf`: a name every file system takes. */
export const fileNameOf = (format: ExportFormat, { name, protocol }: Pick<Ticket, 'name' | 'protocol'>): string => {
  const words = `conversa ${name} ${protocol}`
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)
  return `${words}.${kinds[format].extension}`
}
