import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Media } from '../handset.ts'
import { recordOf } from '../simulator.ts'
import { type Dialect, newSid, type Signed, SmsError, type State } from './state.ts'

const onSends = /\/Messages\.json$/
const refuse = (status: number, code: number, message: string) => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  match: onSends,
})
const refused = (status: number, code: number, message: string) =>
  new SmsError(status, refuse(status, code, message).body)

const send = z.object({
  To: z.string(),
  From: z.string().optional(),
  MessagingServiceSid: z.string().optional(),
  Body: z.string().optional(),
  MediaUrl: z.url().optional(),
  StatusCallback: z.url().optional(),
})

/** Twilio's Programmable Messaging. */
export const twilioDialect: Dialect = {
  label: 'Twilio',
  addRoutes: (state, talk) => {
    const { app } = state.core
    const open = (authorization: string | undefined, sid: string) => {
      const right = `Basic ${Buffer.from(`${state.accountSid}:${state.key}`).toString('base64')}`
      if (authorization !== right || sid !== state.accountSid) throw refused(401, 20003, 'Authenticate')
    }
    app.get<{ Params: { sid: string; id: string } }>(
      '/2010-04-01/Accounts/:sid/Messages/:message/Media/:id',
      (req, reply) => {
        open(req.headers.authorization, req.params.sid)
        const media = state.files.get(req.params.id)
        if (!media) throw refused(404, 20404, 'The requested resource was not found')
        return reply.type(media.mimeType).send(media.bytes)
      },
    )
    const fetchFile = async (url: string) => {
      const answer = await fetch(url, { signal: AbortSignal.any([state.core.closing, AbortSignal.timeout(10_000)]) })
      if (!answer.ok) throw refused(400, 21620, 'Invalid media URL(s)')
      const mimeType = answer.headers.get('content-type') ?? ''
      return { bytes: Buffer.from(await answer.arrayBuffer()), mimeType }
    }
    app.get<{ Params: { sid: string } }>('/2010-04-01/Accounts/:sid.json', (req) => {
      open(req.headers.authorization, req.params.sid)
      return { sid: state.accountSid, friendly_name: 'Loja de Teste', status: 'active', type: 'Full' }
    })
    app.post<{ Params: { sid: string } }>('/2010-04-01/Accounts/:sid/Messages.json', async (req, reply) => {
      open(req.headers.authorization, req.params.sid)
      const form = send.parse(recordOf(req).body)
      const { To, Body = '', StatusCallback: callback } = form
      if (!Body && !form.MediaUrl) throw refused(400, 21602, 'Message body is required.')
      if (Body.length > 1_600)
        throw refused(400, 21617, 'The concatenated message body exceeds the 1600 character limit')
      if (!form.From && !form.MessagingServiceSid) throw refused(400, 21603, "A 'From' phone number is required.")
      const phone = /^\+(\d{8,15})$/.exec(To)?.[1]
      if (!phone) throw refused(400, 21211, `Invalid 'To' Phone Number: ${To.slice(0, 4)}XXXX`)
      if (/^55[1-9]{2}[2-5]\d{7}$/.test(phone)) throw refused(400, 21614, `'To' number is not a valid mobile number`)
      if (talk.customer({ phone }).hasOptedOut) throw refused(400, 21610, 'Attempt to send to unsubscribed recipient')
      const sid = newSid()
      const media = form.MediaUrl ? await fetchFile(form.MediaUrl) : undefined
      const { segments } = await talk.accept({ id: sid, phone, text: Body, media, callback, payload: form })
      reply.code(201)
      return {
        sid,
        account_sid: state.accountSid,
        to: To,
        from: form.From ?? null,
        body: Body,
        status: 'queued',
        direction: 'outbound-api',
        num_segments: String(segments),
        num_media: media ? '1' : '0',
        price: null,
        error_code: null,
        error_message: null,
        date_created: new Date(state.core.now()).toUTCString(),
      }
    })
  },
  hasFiles: true,
  message: (state, customer, id, text, media) => ({
    ToCountry: 'BR',
    SmsMessageSid: `SM${id.padStart(32, '0')}`,
    ...filesOf(state, id, media),
    SmsSid: `SM${id.padStart(32, '0')}`,
    SmsStatus: 'received',
    Body: text,
    To: state.from,
    NumSegments: '1',
    MessageSid: `SM${id.padStart(32, '0')}`,
    AccountSid: state.accountSid,
    From: `+${customer.phone}`,
    ApiVersion: '2010-04-01',
  }),
  receipt: (state, id, { customer }, receipt) => ({
    SmsSid: id,
    SmsStatus: receipt === 'failed' ? 'undelivered' : receipt,
    MessageStatus: receipt === 'failed' ? 'undelivered' : receipt,
    To: `+${customer.phone}`,
    MessageSid: id,
    AccountSid: state.accountSid,
    From: state.from,
    ApiVersion: '2010-04-01',
    ...(receipt === 'failed' && { ErrorCode: '30005' }),
  }),
  call: (state, fields, signed, callback) => {
    const url = callback ?? state.hooks[0]?.url
    if (!url) return undefined
    const params = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)])
    return {
      url,
      body: new URLSearchParams(params).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(signed !== 'missing' && { 'x-twilio-signature': signatureOf(state, url, params, signed) }),
      },
    }
  },
  faults: [
    { id: 'token', label: '401 · Auth Token trocado', fault: refuse(401, 20003, 'Authenticate') },
    { id: 'optout', label: '21610 · cliente pediu para sair', fault: refuse(400, 21610, 'unsubscribed recipient') },
    { id: 'rate', label: '20429 · pedidos demais', fault: refuse(429, 20429, 'Too Many Requests') },
  ],
}

export const signatureOf = (state: State, url: string, params: [string, string][], signed: Signed = 'right') => {
  const text = params.toSorted(([a], [b]) => (a < b ? -1 : 1)).reduce((sum, [name, value]) => sum + name + value, url)
  return createHmac('sha1', signed === 'wrong' ? 'outro token' : state.key)
    .update(text)
    .digest('base64')
}

const filesOf = (state: State, id: string, media: Media | undefined) => {
  if (!media) return { NumMedia: '0' }
  state.files.set(`ME${id}`, media)
  const at = `/2010-04-01/Accounts/${state.accountSid}/Messages/MM${id}/Media/ME${id}`
  return { NumMedia: '1', MediaUrl0: `${state.core.url}${at}`, MediaContentType0: media.mimeType }
}
