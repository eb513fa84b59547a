import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import { type Dialect, newNumber, SmsError, type State } from './state.ts'

const onSends = /\/v1\/send$/
const refuse = (codigo: string, descricao: string) => ({ status: 200, body: { situacao: 'ERRO', codigo, descricao } })
const refused = (codigo: string, descricao: string) => new SmsError(200, refuse(codigo, descricao).body)
const send = z.object({
  key: z.string(),
  type: z.literal(9),
  number: z.coerce.string(),
  msg: z.string().min(1),
  refer: z.string().max(100).optional(),
})

/** SMSDev: one key, answers of 200 whatever they say. */
export const smsdevDialect: Dialect = {
  label: 'SMSDev',
  addRoutes: (state, talk) => {
    const { app } = state.core
    const open = (body: unknown) => {
      const { key } = z.object({ key: z.string().optional() }).parse(body)
      if (key !== state.key) throw refused('401', 'KEY INVALIDA')
    }
    app.post('/v1/send', async (req) => {
      const { body } = recordOf(req)
      open(body)
      const { number, msg, refer } = send.parse(body)
      const phone = number.length <= 11 ? `55${number}` : number
      if (!/^\d{12,15}$/.test(phone)) throw refused('402', 'NUMERO INVALIDO')
      if (state.credits < creditsOf(msg)) throw refused('403', 'SALDO INSUFICIENTE')
      if (talk.customer({ phone }).hasOptedOut) throw refused('405', 'NUMERO EM BLACK LIST')
      const id = newNumber()
      await talk.accept({ id, phone, text: msg, refer, payload: { number, msg, refer } })
      return { situacao: 'OK', codigo: '1', id, descricao: 'MENSAGEM NA FILA' }
    })
    app.post('/v1/balance', (req) => {
      open(recordOf(req).body)
      return { situacao: 'OK', saldo_sms: String(state.credits), descricao: 'SALDO ATUAL' }
    })
    app.post('/v1/dlr', (req) => {
      const { body } = recordOf(req)
      open(body)
      const { id } = z.object({ id: z.array(z.coerce.string()) }).parse(body)
      return id.flatMap((one) => {
        const known = state.known.get(one)
        const situacao = known && { sent: 'ENVIADA', delivered: 'RECEBIDA', failed: 'ERRO' }[known.line.state as 'sent']
        return known
          ? [{ situacao: 'OK', codigo: '1', id_sms: one, descricao: situacao ?? 'FILA', operadora: 'VIVO' }]
          : []
      })
    })
  },
  message: (state, customer, id, text) => {
    const [sent, known] = [...state.known].findLast(([, one]) => one.customer === customer) ?? []
    return { from: customer.phone, id, id_sent: sent ?? '0', message: text, refer: known?.refer ?? '' }
  },
  receipt: (state, id, { refer, line }, receipt) => ({
    key: state.key,
    id,
    refer: refer ?? '',
    situacao: { sent: 'ENVIADA', delivered: 'RECEBIDA', failed: 'ERRO' }[receipt],
    data_envio: stamp(state.core.now()),
    operadora: 'VIVO-PORTABILIDADE',
    qtd_credito: String(creditsOf(line.text ?? '')),
  }),
  call: (state, fields, signed) => called(state, fields, signed),
  faults: [
    { id: 'key', label: 'chave inválida', fault: { ...refuse('401', 'KEY INVALIDA'), match: onSends } },
    { id: 'credit', label: 'sem créditos', fault: { ...refuse('403', 'SALDO INSUFICIENTE'), match: onSends } },
    { id: 'number', label: 'número inválido', fault: { ...refuse('402', 'NUMERO INVALIDO'), match: onSends } },
  ],
}

const creditsOf = (text: string) => Math.max(1, Math.ceil(text.length / 160))
/** ddmmyyyyhh24miss */
const stamp = (at: number) =>
  new Date(at).toISOString().replace(/^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+).*$/, '$3$2$1$4$5$6')

/** Unsigned: the address itself is the proof. */
export const called: Dialect['call'] = ({ hooks: [hook] }: State, fields, signed) => {
  if (!hook) return undefined
  const url = { right: hook.url, missing: hook.url.replace(/\?.*$/, ''), wrong: `${hook.url}x` }[signed]
  return { url, body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }
}
