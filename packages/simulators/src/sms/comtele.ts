import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import { called } from './smsdev.ts'
import { type Dialect, SmsError } from './state.ts'

const onSends = /\/send$/
const refuse = (status: number, Message: string) => ({ status, body: { Success: false, Object: null, Message } })
const poor =
  'Não foi possível continuar, pois a quantidade de créditos é insuficiente. Para efetuar o envio é necessário ao menos 1 créditos.'
const send = z.object({ Sender: z.string().optional(), Receivers: z.string(), Content: z.string() })

/** Comtele: `Sender` is whatever its caller wants to find again. */
export const comteleDialect: Dialect = {
  label: 'Comtele',
  addRoutes: (state, talk) => {
    const { app } = state.core
    app.addHook('preHandler', async (req, reply) => {
      // Without a body.
      if (req.headers['auth-key'] !== state.key && !req.url.startsWith('/faces/')) return reply.code(401).send()
    })
    const refused = (status: number, message: string) => new SmsError(status, refuse(status, message).body)
    app.post('/send', async (req) => {
      const { Sender, Receivers, Content } = send.parse(recordOf(req).body)
      if (!/^\d{10,11}$/.test(Receivers))
        throw refused(400, 'É necessário informar ao menos um destinatário que irá receber o SMS.')
      if (!Content) throw refused(400, 'O parâmetro ‘Content’ deve ser informado com conteúdo.')
      if (state.credits < 1) throw refused(400, poor)
      const requestUniqueId = randomUUID()
      await talk.accept({
        id: Sender || requestUniqueId, // by what its receipts name it
        phone: `55${Receivers}`,
        text: Content,
        refer: Sender,
        payload: { Sender, Receivers, Content },
      })
      return {
        Success: true,
        Object: { requestUniqueId },
        Message: 'A requisicao de envio foi encaminhada para processamento com sucesso.',
      }
    })
    app.get('/credits', () => ({ Success: true, Object: state.credits, Message: null }))
  },
  message: (state, customer, _id, text) => {
    const known = [...state.known.values()].findLast((one) => one.customer === customer)
    return {
      Sender: customer.phone.replace(/^55/, ''),
      SentContent: known?.line.text ?? '',
      ReceivedContent: text,
      ReceiveDate: new Date(state.core.now()).toISOString(),
      SenderName: known?.refer ?? '',
    }
  },
  receipt: (state, _id, { refer, customer }, receipt) => ({
    Sender: refer ?? '',
    Status: { sent: 'Accepted', delivered: 'Delivered', failed: 'Undelivered' }[receipt],
    PhoneNumber: customer.phone.replace(/^55/, ''),
    StatusDate: new Date(state.core.now()).toISOString(),
  }),
  call: called,
  faults: [
    { id: 'key', label: '401 · chave trocada', fault: { status: 401, body: '', match: onSends } },
    { id: 'credit', label: '400 · sem créditos', fault: { ...refuse(400, poor), match: onSends } },
  ],
}
