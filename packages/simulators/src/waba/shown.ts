import { z } from 'zod'
import type { Line } from '../handset.ts'
import type { OutboundMessage } from './outbound.ts'
import { shownRequest } from './requests.ts'
import type { RenderedTemplate } from './templates.ts'

/** The file a send refers to, if any. */
export const mediaRefOf = (
  message: OutboundMessage,
  rendered: RenderedTemplate | undefined,
): { id?: string; link?: string; filename?: string } | undefined => {
  if (message.type === 'image') return message.image
  if (message.type === 'video') return message.video
  if (message.type === 'audio') return message.audio
  if (message.type === 'document') return message.document
  if (message.type === 'sticker') return message.sticker
  return rendered?.headerMedia
}

/** How the phone shows a message of the business. */
export const shownOf = (
  message: OutboundMessage,
  rendered: RenderedTemplate | undefined,
): Pick<Line, 'type'> & Partial<Line> => {
  switch (message.type) {
    case 'text':
      return { type: 'text', text: message.text.body }
    case 'image':
      return { type: 'image', text: message.image.caption }
    case 'video':
      return { type: 'video', text: message.video.caption }
    case 'audio':
      return { type: message.audio.voice ? 'voice' : 'audio' }
    case 'document':
      return { type: 'document', text: message.document.caption }
    case 'location':
      return { type: 'location', place: message.location }
    case 'contacts':
      return {
        type: 'contacts',
        cards: message.contacts.map(({ name, phones }) => ({
          name: name.formatted_name,
          phone: phones?.[0]?.phone ?? '',
        })),
      }
    case 'template':
      return { type: 'template', ...rendered }
    case 'interactive':
      return { type: 'interactive', ...shownInteractive(message.interactive) }
    default:
      return { type: message.type }
  }
}

const shownInteractive = (
  interactive: Extract<OutboundMessage, { type: 'interactive' }>['interactive'],
): Partial<Line> => {
  if (interactive.type === 'button') {
    const buttons = interactive.action.buttons.map(({ reply }) => reply)
    return {
      text: interactive.body.text,
      footer: interactive.footer?.text,
      header: headerText(interactive.header),
      buttons,
    }
  }
  if (interactive.type === 'list') {
    const rows = interactive.action.sections.flatMap((section) => section.rows)
    const buttons = rows.map((row) => ({ ...row, description: row.description ?? '' }))
    return {
      text: interactive.body.text,
      footer: interactive.footer?.text,
      header: headerText(interactive.header),
      buttons,
    }
  }
  if (interactive.type === 'cta_url') {
    const { display_text: title, url } = interactive.action.parameters
    const around = { header: headerText(interactive.header), footer: interactive.footer?.text }
    return { ...around, text: interactive.body.text, buttons: [{ id: url, title, url }] }
  }
  return { header: 'header' in interactive ? headerText(interactive.header) : undefined, ...shownRequest(interactive) }
}

const headerText = (header: unknown) => z.object({ text: z.string() }).safeParse(header).data?.text
