import { actsOf, type HandsetAct } from '../handset.ts'
import type { Review } from './review.ts'
import type { State } from './state.ts'
import type { Webhooks } from './webhooks.ts'

const words = { name: 'text', label: 'Texto', isLong: true, isRequired: true }
const template = { name: 'name', label: 'Nome do modelo', isRequired: true }

/** What people do on WhatsApp beside writing, and what Meta decides about the account. */
export const createActs = (state: State, webhooks: Webhooks, review: Review): HandsetAct[] => {
  const named = (name = '') => {
    const found = state.templates.filter((one) => one.name === name.trim())
    if (!found.length) throw new Error('Não há um modelo com este nome.')
    return found
  }
  const each = async (name: string | undefined, work: (one: (typeof state.templates)[number]) => unknown) => {
    for (const one of named(name)) await work(one)
  }
  const change = (field: string, value: object) => webhooks.emit({ kind: 'change', field, value })
  return actsOf(
    () => state.customers,
    [
      {
        id: 'order',
        label: 'Mandar um pedido do catálogo',
        fields: [words],
        run: (customer, { text }) =>
          customer.sendOrder(
            state.shop.products.slice(0, 2).map(({ retailer_id }, index) => ({
              product_retailer_id: retailer_id,
              quantity: index + 1,
              item_price: 49.9,
              currency: 'BRL',
            })),
            { text },
          ),
      },
      {
        id: 'advert',
        label: 'Chegar por um anúncio',
        fields: [words],
        run: (customer, { text = '' }) =>
          customer.sendText(text, {
            referral: {
              source_url: 'https://fb.me/anuncio',
              source_id: '120',
              source_type: 'ad',
              headline: 'Vasos com 20% de desconto',
              body: 'Só até domingo.',
              media_type: 'image',
              ctwa_clid: 'clique-1',
            },
          }),
      },
      { id: 'welcome', label: 'Abrir a conversa sem escrever', run: (customer) => customer.requestWelcome() },
      { id: 'unsupported', label: 'Algo que a API não conta', run: (customer) => customer.unsupported('edit') },
      { id: 'stop', label: 'Parar as ofertas', run: (customer) => customer.stopMarketing() },
      { id: 'resume', label: 'Voltar a receber ofertas', run: (customer) => customer.resumeMarketing() },
      {
        id: 'number',
        label: 'Trocar de número',
        fields: [{ name: 'number', label: 'Número novo', value: '5511988880099', isRequired: true }],
        run: (customer, { number = '' }) => customer.systemNumberChange(number.replace(/\D/g, '')),
      },
      { id: 'identity', label: 'Trocar de aparelho', run: (customer) => customer.systemIdentityChange() },
      {
        id: 'echo',
        label: 'A loja escreve pelo celular dela',
        fields: [words],
        run: (customer, { text = '' }) => webhooks.echo(customer, text),
      },
      {
        id: 'judge',
        label: 'A Meta decide sobre um modelo',
        fields: [
          template,
          {
            name: 'status',
            label: 'Decisão',
            options: {
              APPROVED: 'Aprovado',
              REJECTED: 'Recusado',
              PAUSED: 'Pausado',
              DISABLED: 'Desativado',
              IN_APPEAL: 'Em recurso',
            },
          },
          { name: 'reason', label: 'Motivo da recusa', value: 'INVALID_FORMAT' },
        ],
        run: (_customer, { name, status, reason }) =>
          each(name, (one) => review.judge(one, status as (typeof one)['status'], reason)), // one of the options
      },
      {
        id: 'grade',
        label: 'A Meta dá nota a um modelo',
        fields: [template, { name: 'score', label: 'Nota', options: { RED: 'Baixa', YELLOW: 'Média', GREEN: 'Alta' } }],
        run: (_customer, { name, score }) =>
          each(name, (one) => review.grade(one, score as 'RED' | 'YELLOW' | 'GREEN')), // as above
      },
      {
        id: 'category',
        label: 'A Meta muda a categoria de um modelo',
        fields: [
          template,
          { name: 'category', label: 'Categoria', options: { MARKETING: 'Marketing', UTILITY: 'Utilidade' } },
        ],
        run: (_customer, { name, category }) =>
          each(name, (one) => review.recategorise(one, category as (typeof one)['category'])), // as above
      },
      {
        id: 'quality',
        label: 'A nota do número muda',
        fields: [{ name: 'quality', label: 'Nota', options: { RED: 'Baixa', YELLOW: 'Média', GREEN: 'Alta' } }],
        run: (_customer, { quality = 'RED' }) => {
          state.account.quality = quality
          return change('phone_number_quality_update', {
            display_phone_number: state.options.displayPhoneNumber,
            event: quality === 'RED' ? 'DOWNGRADE' : 'UPGRADE',
            current_limit: state.account.tier,
          })
        },
      },
      {
        id: 'alert',
        label: 'A Meta avisa sobre a conta',
        fields: [
          {
            name: 'event',
            label: 'Aviso',
            options: { ACCOUNT_VIOLATION: 'Violação de política', ACCOUNT_RESTRICTION: 'Conta restrita' },
          },
        ],
        run: (_customer, { event }) =>
          change('account_update', {
            phone_number: state.businessPhone,
            event,
            ...(event === 'ACCOUNT_RESTRICTION'
              ? {
                  restriction_info: [
                    {
                      restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING',
                      expiration: Math.floor(state.core.now() / 1_000) + 7 * 86_400,
                    },
                  ],
                }
              : { violation_info: { violation_type: 'ALCOHOL' } }),
          }),
      },
      { id: 'play', label: 'Ouvir', of: 'business', run: (customer, _values, line) => customer.play(line) },
    ],
  )
}
