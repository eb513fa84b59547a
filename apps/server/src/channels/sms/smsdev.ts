import { z } from 'zod'
import { hashToken, isSame } from '../../kit/crypto.ts'
import type { InboundEvent } from '../adapter.ts'
import { badNumber, keyRefused, noCredit, optedOut, type Provider, reach, refusalOf } from './api.ts'
import { type Context, heard, isOurAddress, nothing, ourId, phoneIn, type SmsDriver } from './driver.ts'

/** It refuses with 200 and words. */
const smsdevApi: Provider = {
  label: 'SMSDev',
  url: 'https://api.smsdev.com.br',
  rules: [
    [/saldo|cr[eé]dito/i, noCredit],
    [/black ?list|bloquead/i, optedOut],
    [/\b(key|chave)\b|invalid_key/i, keyRefused],
    [/n[uú]mero|number|celular|destinat/i, badNumber],
  ],
}

/** SMSDev; our id travels as `refer`, and what it tells comes to an address that is copied into its panel. */
export const smsdev: SmsDriver = {
  verify: (request, context) => {
    const key = keyed.safeParse(fieldsIn(request.rawBody.toString())).data?.key
    const isTheirs = key === undefined || isSame(key, context.config.smsdevKey ?? '')
    return isTheirs && isOurAddress(request, context)
  },
  send: async ({ id, phone, text }, context) => {
    const json = { key: context.config.smsdevKey, type: 9, number: phone, msg: text, refer: id }
    const answer = await call(context, '/v1/send', json, false)
    const told = made.safeParse(firstOf(answer.json())).data
    if (answer.status < 300 && told) return told.id
    throw refused(context, answer, false)
  },
  check: async (context) => {
    const answer = await call(context, '/v1/balance', { key: context.config.smsdevKey }, true)
    const told = balance.safeParse(answer.json()).data
    if (answer.status < 300 && told) return { credits: told.saldo_sms }
    throw refused(context, answer, true)
  },
  accountOf: ({ smsdevKey }) => (smsdevKey ? { id: `smsdev/${hashToken(smsdevKey)}`, field: 'smsdevKey' } : undefined),
  split: (told) => {
    const { key: _, ...payload } = told
    const status = receipt.safeParse(told).data
    if (status) return { key: `smsdev:${status.id}:${status.situacao}`.slice(0, 500), payload }
    const said = incoming.safeParse(told).data
    return said && { key: `smsdev:mo:${said.id}`, payload, conversation: said.from }
  },
  parse: (told) => {
    const status = receipt.safeParse(told).data
    if (status) return [statusEvent(status)]
    const said = incoming.safeParse(told).data
    const phone = phoneIn(said?.from ?? '')
    // Its answers are numbered beside what we sent, so the two could be told by the same number.
    return said && phone ? [heard({ providerId: `mo:${said.id}`, phone, body: said.message })] : []
  },
}

const number = z.union([z.string().min(1).max(100), z.int()]).transform(String)
const keyed = z.object({ key: z.string().optional() })
const made = z.object({ situacao: z.literal('OK'), id: number })
const balance = z.object({ situacao: z.literal('OK'), saldo_sms: z.coerce.number().int() })
const receipt = z.object({ id: number, situacao: z.string().min(1), refer: z.string().optional().catch(undefined) })
const incoming = z.object({ id: number, from: number, message: z.string() })

const statusEvent = ({ id: providerId, situacao, refer }: z.output<typeof receipt>): InboundEvent => {
  const told = { kind: 'status', providerId, messageId: ourId(refer) } as const
  switch (situacao.trim().toUpperCase()) {
    case 'RECEBIDA':
      return { ...told, status: 'delivered' }
    case 'ENVIADA':
      return { ...told, status: 'sent' }
    case 'ERRO':
      return { ...told, status: 'failed', error: 'A operadora não entregou o SMS. Confira o telefone do contato.' }
    case 'CANCELADA':
      return { ...told, status: 'failed', error: 'O envio foi cancelado no painel da SMSDev.' }
    case 'BLACK LIST':
      return { ...told, status: 'failed', error: 'O contato está na lista de bloqueio da SMSDev.', isUnreachable: true }
    default:
      return nothing
  }
}

/** Its key never stands in an address. */
const call = (context: Context, path: string, json: object, isHarmless: boolean) =>
  reach(context, smsdevApi, path, { method: 'POST', json }, isHarmless)

const firstOf = (answer: unknown): unknown => (Array.isArray(answer) ? answer[0] : answer)
const problem = z.object({ situacao: z.string(), descricao: z.string().default('').catch('') })
const refused = (context: Context, answer: Awaited<ReturnType<typeof reach>>, isHarmless: boolean) => {
  const { situacao, descricao = '' } = problem.safeParse(firstOf(answer.json())).data ?? {}
  const words = situacao && situacao !== 'OK' ? [situacao, descricao].filter(Boolean).join(' ') : ''
  return refusalOf(context, smsdevApi, answer, words, isHarmless)
}

/** A body as it came, JSON or a form. */
export const fieldsIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return Object.fromEntries(new URLSearchParams(text))
  }
}
