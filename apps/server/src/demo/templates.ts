import type { Template, TemplateInput } from '@balcao/simulators/waba/templates.ts'

const language = 'pt_BR'

/** What Loja Aurora had approved by Meta. */
export const demoTemplates: TemplateInput[] = [
  {
    name: 'pedido_enviado',
    language,
    category: 'UTILITY',
    parameter_format: 'NAMED',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Pedido {{numero}}', example: { header_text: ['4821'] } },
      {
        type: 'BODY',
        text: 'Oi, {{nome}}! Seu pedido saiu para entrega e chega até *{{data}}*.\n\nQualquer dúvida, é só responder por aqui.',
        example: { body_text: [['Maria', 'sexta-feira']] },
      },
      { type: 'FOOTER', text: 'Loja Aurora' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Rastrear entrega', url: 'https://lojaaurora.example/rastreio/{{1}}' },
          { type: 'QUICK_REPLY', text: 'Falar com a loja' },
        ],
      },
    ],
  },
  {
    name: 'retomar_conversa',
    language,
    category: 'UTILITY',
    components: [
      {
        type: 'BODY',
        text: 'Olá, {{1}}! Ficamos com a sua mensagem sem resposta. Podemos continuar o atendimento?',
        example: { body_text: [['Maria']] },
      },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Sim, continuar' },
          { type: 'QUICK_REPLY', text: 'Agora não' },
        ],
      },
    ],
  },
  {
    name: 'oferta_da_semana',
    language,
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW'] } },
      {
        type: 'BODY',
        text: '{{1}}, separamos novidades para você: peças da nova coleção com *{{2}}* de desconto até domingo.',
        example: { body_text: [['Maria', '15%']] },
      },
      { type: 'FOOTER', text: 'Para não receber ofertas, responda SAIR' },
      { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'Copiar código', example: ['AURORA15'] }] },
    ],
  },
  {
    name: 'segunda_via_boleto',
    language,
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: ['4::aW'] } },
      {
        type: 'BODY',
        text: 'Segue a segunda via do boleto de {{1}}, com vencimento em {{2}}.',
        example: { body_text: [['R$ 189,90', '10/12']] },
      },
    ],
  },
  {
    name: 'pesquisa_de_satisfacao',
    language,
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Como foi a sua última compra na Loja Aurora? Sua opinião ajuda muito.' }],
  },
]

/** And what Meta has not approved, or no longer lets out, with what it said of it. */
export const demoTemplatesBeside: [
  TemplateInput,
  Pick<Template, 'status'> & Partial<Pick<Template, 'rejected_reason' | 'quality_score'>>,
][] = [
  [
    {
      name: 'codigo_de_acesso',
      language,
      category: 'AUTHENTICATION',
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'FOOTER', code_expiration_minutes: 10 },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copiar código' }] },
      ],
    },
    { status: 'APPROVED', quality_score: { score: 'GREEN' } },
  ],
  [
    {
      name: 'aviso_de_retirada',
      language,
      category: 'UTILITY',
      components: [
        {
          type: 'BODY',
          text: 'Oi, {{1}}! Seu pedido já pode ser retirado na loja de Pinheiros, das 9h às 18h.',
          example: { body_text: [['Maria']] },
        },
      ],
    },
    { status: 'PENDING' },
  ],
  [
    {
      name: 'liquidacao_relampago',
      language,
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Só hoje: toda a loja com 40% de desconto. Corre que acaba!' }],
    },
    { status: 'REJECTED', rejected_reason: 'PROMOTIONAL' },
  ],
  [
    {
      name: 'lembrete_de_carrinho',
      language,
      category: 'MARKETING',
      components: [
        {
          type: 'BODY',
          text: 'Oi, {{1}}! Você deixou peças no carrinho. Elas ainda estão separadas para você.',
          example: { body_text: [['Maria']] },
        },
      ],
    },
    { status: 'PAUSED', quality_score: { score: 'RED' } },
  ],
]
