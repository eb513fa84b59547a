import type { Invitation } from '@balcao/contract/conversations/messages.ts'
import { momentAt } from '@balcao/contract/core/wall-time.ts'
import type { Email } from 'postal-mime'

/** An invitation is small; what is larger is a calendar, and stays a file. */
const longest = 200_000

/** The first event of a calendar that came with a mail (RFC 5545): what, when and where. Nothing of it is carried out. */
export const invitationOf = ({ attachments }: Email): Invitation | undefined => {
  const part = attachments.find(({ mimeType }) => mimeType === 'text/calendar')
  const { content = '' } = part ?? {}
  const text = typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('utf8')
  if (!part || text.length > longest) return undefined
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const begins = lines.findIndex((line) => /^BEGIN:VEVENT$/i.test(line))
  const ends = lines.findIndex((line) => /^END:VEVENT$/i.test(line))
  const event = begins < 0 ? [] : lines.slice(begins + 1, ends < 0 ? undefined : ends)
  const starts = timeIn(event, 'DTSTART')
  if (!starts) return undefined
  return {
    title: textIn(event, 'SUMMARY') || 'Convite',
    place: textIn(event, 'LOCATION'),
    starts,
    ends: timeIn(event, 'DTEND') ?? null,
    isCancelled: /^CANCEL$/i.test(textIn(lines, 'METHOD')) || /^CANCELLED$/i.test(textIn(event, 'STATUS')),
  }
}

const fieldIn = (lines: string[], name: string) => {
  const line = lines.find(
    (one) => one.slice(0, name.length).toUpperCase() === name && /^[:;]/.test(one.slice(name.length)),
  )
  const [, parameters = '', value = ''] = /^[^:;]+((?:;[^:;="]+=(?:"[^"]*"|[^:;"]*))*):(.*)$/s.exec(line ?? '') ?? []
  return line ? { parameters, value } : undefined
}

const textIn = (lines: string[], name: string): string =>
  (fieldIn(lines, name)?.value ?? '')
    .replace(/\\n/gi, ' ')
    .replace(/\\([\\;,])/g, '$1')
    .trim()
    .slice(0, 300)

/** As a moment where its zone is known, else as the wall shows it; a whole day is its date. */
const timeIn = (lines: string[], name: string): string | undefined => {
  const { parameters = '', value = '' } = fieldIn(lines, name) ?? {}
  const [, year, month, day, hour, minute, isUtc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z)?)?$/.exec(value.trim()) ?? []
  const date = `${year}-${month}-${day}`
  if (!day || Number.isNaN(Date.parse(date))) return undefined
  if (hour === undefined) return date
  const wall = `${date}T${hour}:${minute}`
  if (Number.isNaN(Date.parse(`${wall}Z`))) return undefined
  if (isUtc) return `${wall}:00.000Z`
  const zone = /;TZID="?([^";]*)/i.exec(parameters)?.[1] ?? ''
  return momentIn(wall, named[zone] ?? zone) ?? wall
}

/** What Outlook calls the zones of Brazil. */
const named: Record<string, string> = {
  'E. South America Standard Time': 'America/Sao_Paulo',
  'SA Eastern Standard Time': 'America/Fortaleza',
  'Bahia Standard Time': 'America/Bahia',
  'Tocantins Standard Time': 'America/Araguaina',
  'Central Brazilian Standard Time': 'America/Cuiaba',
  'SA Western Standard Time': 'America/Manaus',
}

const momentIn = (wall: string, zone: string): string | undefined => {
  try {
    return zone ? momentAt(wall, zone) : undefined
  } catch {
    return undefined // no zone of ours
  }
}
