import { z } from 'zod'
import { defineChannel } from './define.ts'

export const smsProviders = ['twilio', 'zenvia', 'smsdev', 'comtele'] as const
export type SmsProvider = (typeof smsProviders)[number]
export const smsProviderLabels: Record<SmsProvider, string> = {
  twilio: 'Twilio',
  zenvia: 'Zenvia',
  smsdev: 'SMSDev',
  comtele: 'Comtele',
}

const of = (...is: SmsProvider[]) => ({ shownWhen: { field: 'provider', is }, isNeeded: true }) as const
const step = (is: SmsProvider, text: string) => ({ text, shownWhen: { field: 'provider', is } })
const secret = (least: number) => z.string().trim().min(least, 'Cole a chave completa.').max(500).optional()

/** Facts: reference sheet sms.md, and the four vendors' own manuals. */
export const smsChannel = defineChannel({
  kind: 'sms',
  label: 'SMS',
  description: 'Mensagens de texto pelo celular: Twilio, Zenvia, SMSDev ou Comtele.',
  words: 'sms torpedo twilio zenvia smsdev comtele mensagem de texto celular',
  glyph: {
    label: 'SMS',
    color: '#5f3dc4',
    paths: [
      'M8 9h.01',
      'M12 9h.01',
      'M16 9h.01',
      'M18 4a3 3 0 0 1 3 3v6a3 3 0 0 1 -3 3h-5l-5 4v-4h-2a3 3 0 0 1 -3 -3v-6a3 3 0 0 1 3 -3z',
    ],
  },
  steps: {
    before: [
      'Escolha o provedor em que a empresa tem uma conta com créditos.',
      step('twilio', 'No console da Twilio, copie o Account SID e o Auth Token da página inicial.'),
      step('zenvia', 'No painel da Zenvia, crie um token em Desenvolvedores → Tokens e webhooks.'),
      step('smsdev', 'No painel da SMSDev, copie a chave (KEY) em Minha conta.'),
      step('comtele', 'No painel da Comtele, copie a chave em API → Chave de API.'),
    ],
    after: [
      step(
        'twilio',
        'Em Phone Numbers, abra o número e cole o endereço em A message comes in (HTTP POST). As confirmações de entrega vêm sem isso.',
      ),
      step('zenvia', 'Nada a fazer: já cadastramos os avisos na Zenvia.'),
      step('smsdev', 'Em Integração → Callback, cole o endereço nos dois callbacks, com o método JSON.'),
      step(
        'comtele',
        'Em Configurações → Alterar meus dados, cole o endereço em URL de Callback de Respostas e em URL de Callback de Status. Passa a valer em até 30 minutos.',
      ),
    ],
  },
  addresses: [
    {
      label: 'Endereço dos avisos',
      value: '{webhookUrl}?key={hookKey}',
      unreachable:
        'O provedor não alcança este endereço: ele só chama endereços públicos. Quem cuida da instalação define o endereço em PUBLIC_URL.',
    },
  ],
  identities: { phone: 100 },
  reachedBy: { identities: ['phone'], whenNot: 'Este contato não tem telefone.' },
  pace: { perSecond: 5, burst: 10 },
  abilities: ({ provider, isPlain = false, mms = false, price }) => ({
    supports: provider === 'twilio' && mms ? ['text', 'image', 'mass'] : ['text', 'mass'],
    textLimits: { text: 1_600, caption: 1_600 },
    receipts: ['delivered'],
    sms: {
      isPlain,
      price: price ? Number(price.replace(',', '.')) : null,
      chargedBy: provider === 'smsdev' ? 160 : null,
    },
  }),
  config: z.object({
    provider: z
      .enum(smsProviders)
      .default('twilio')
      .meta({ label: 'Provedor', options: { ...smsProviderLabels } }),
    accountSid: z
      .string()
      .trim()
      .regex(/^AC[\da-fA-F]{32}$/, 'Começa com AC e tem 34 caracteres.')
      .optional()
      .meta({ label: 'Account SID', ...of('twilio') }),
    authToken: secret(16).meta({
      label: 'Auth Token',
      help: 'Com ele enviamos e conferimos que cada aviso veio mesmo da Twilio.',
      secret: true,
      ...of('twilio'),
    }),
    twilioFrom: z
      .string()
      .trim()
      .regex(/^(\+\d{5,15}|MG[\da-fA-F]{32})$/, 'Use +5511999998888 ou o SID do serviço, que começa com MG.')
      .optional()
      .meta({ label: 'Número ou Messaging Service', placeholder: '+5511999998888', ...of('twilio') }),
    mms: z
      .boolean()
      .default(false)
      .meta({
        label: 'Enviar fotos (MMS)',
        help: 'Só números dos Estados Unidos e do Canadá as enviam; no Brasil não existe MMS. As que chegam aparecem de qualquer modo.',
        shownWhen: { field: 'provider', is: 'twilio' },
      }),
    zenviaToken: secret(10).meta({ label: 'Token da API', secret: true, ...of('zenvia') }),
    zenviaFrom: z
      .string()
      .trim()
      .regex(/^[\w.+-]{2,60}$/, 'Cole o remetente como a Zenvia o mostra.')
      .optional()
      .meta({ label: 'Remetente', help: 'O identificador do canal SMS, no painel da Zenvia.', ...of('zenvia') }),
    smsdevKey: secret(8).meta({ label: 'Chave (KEY)', secret: true, ...of('smsdev') }),
    comteleKey: secret(16).meta({ label: 'Chave de API', secret: true, ...of('comtele') }),
    isPlain: z.boolean().default(false).meta({
      section: 'Mensagens',
      label: 'Enviar sem acentos',
      help: 'Com acentos, cada SMS leva 70 caracteres; sem eles, 160.',
    }),
    price: z
      .string()
      .trim()
      .regex(/^(\d{1,3}(,\d{1,4})?)?$/, 'Use o formato 0,09.')
      .optional()
      .meta({
        label: 'Preço de cada SMS, em reais',
        help: 'Mostrado a quem escreve, conforme o tamanho do texto. Vazio: não é mostrado.',
        placeholder: '0,09',
      }),
    baseUrl: z
      .url('Endereço inválido.')
      .or(z.literal(''))
      .optional()
      .meta({ label: 'Endereço da API', help: 'Vazio: o do provedor.', is: 'url' }),
    hookKey: z.string().max(100).optional().meta({ label: 'Chave dos avisos', isHidden: true }),
  }),
})
