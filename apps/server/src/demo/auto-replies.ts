import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import { blankPart, type Part } from '@balcao/contract/conversations/parts.ts'
import type { Keyword, KeywordMode } from '@balcao/contract/service/auto-replies.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { autoReplies, autoReplyChoices, autoReplyParts } from '../db/schema/service/auto-replies.ts'
import type { Cast } from './seed.ts'

const words = (mode: KeywordMode, ...texts: string[]): Keyword[] => texts.map((text) => ({ text, mode }))
const text = (body: string): Part => ({ ...blankPart('text'), body })
const menu = (body: string, ...titles: string[]): Part => ({
  ...{ kind: 'choices', body, mediaId: null },
  interactive: {
    ...{ kind: 'buttons', header: '', footer: '', button: '' },
    options: titles.map((title, at) => ({ id: `opcao-${at + 1}`, title, description: '' })),
  },
})

type Rule = {
  name: string
  keywords: Keyword[]
  parts: Part[]
  actions?: Action[]
  after?: string
  next?: string
  isActive?: boolean
}
/** What Loja Aurora answers by itself, and a week of what it was asked. */
export const seedAutoReplies = async (tx: Tx, { queueIds, tagIds }: Cast) => {
  const toQueue = (name: string): Action[] => (queueIds[name] ? [{ kind: 'queue', queueId: queueIds[name] }] : [])
  const [firstTag] = Object.values(tagIds)
  const rules: Rule[] = [
    {
      name: 'Horário e endereço',
      keywords: words('contains', 'horário', 'que horas', 'endereço', 'onde fica'),
      parts: [text('{{saudacao}}! Abrimos de segunda a sábado, das 9h às 18h, na Rua das Flores, 120.')],
    },
    {
      name: 'Chave pix',
      keywords: words('contains', 'pix', 'chave pix'),
      parts: [
        text('Nossa chave pix é pix@lojaaurora.com.br. Depois é só mandar o comprovante por aqui, {{primeiro_nome}}.'),
      ],
      ...(firstTag && { actions: [{ kind: 'addTags', tagIds: [firstTag] }] }),
    },
    {
      name: 'Trocas e devoluções',
      keywords: words('similar', 'troca', 'devolução', 'defeito'),
      parts: [menu('Sobre a troca, o que você precisa?', 'Prazo', 'Quero trocar')],
      actions: toQueue('Trocas'),
    },
    {
      name: 'Prazo de troca',
      keywords: words('exact', 'prazo'),
      after: 'Trocas e devoluções',
      parts: [text('São 30 dias, com a etiqueta e a nota.')],
    },
    {
      name: 'Quero trocar',
      keywords: words('contains', 'trocar'),
      after: 'Trocas e devoluções',
      parts: [text('Certo! Mande uma foto da peça e o número do pedido. Alguém da equipe já continua com você.')],
    },
    {
      name: 'Black Friday',
      keywords: words('contains', 'black friday'),
      parts: [text('As ofertas começam na sexta, às 8h.')],
      isActive: false,
    },
  ]
  const ids = new Map(rules.map(({ name }) => [name, v7()]))
  const { tenantId } = tx
  const rows = rules.map(({ name, keywords, actions = [], after, isActive = true }, position) => ({
    ...{ tenantId, id: ids.get(name) ?? v7(), name, position, starts: 'words' as const, keywords, actions, isActive },
    afterId: after ? ids.get(after) : null,
  }))
  for (const row of rows) await tx.db.insert(autoReplies).values(row)
  await tx.db
    .insert(autoReplyParts)
    .values(
      rules.flatMap(({ name, parts }) =>
        parts.map((part, position) => ({ ...part, tenantId, autoReplyId: ids.get(name) ?? '', position })),
      ),
    )
  await seedChoices(tx, rows)
}

const asked = [
  'vocês têm pix?',
  'qual o horario de vcs',
  'quero fazer uma trca',
  'onde fica a loja?',
  'me passa a chave pix',
]
const found = [1, 0, 2, 0, 1]
const seedChoices = async (tx: Tx, rules: { id: string; keywords: Keyword[] }[]) => {
  const { rows } = await tx.db.execute<{ id: string; connectionId: string }>(
    sql`select id, connection_id as "connectionId" from tickets where tenant_id = ${tx.tenantId} and not is_group order by id limit 24`,
  )
  const choices = rows.flatMap(({ id, connectionId }, n) => {
    const rule = rules[found[n % found.length] ?? 0]
    const word = rule?.keywords[0]
    if (!rule || !word) return []
    const at = { createdAt: new Date(Date.now() - n * 5.3 * 3_600_000) }
    const said = asked[n % asked.length] ?? ''
    return {
      ...{
        tenantId: tx.tenantId,
        autoReplyId: rule.id,
        ticketId: id,
        connectionId,
        said,
        keyword: word.text,
        mode: word.mode,
      },
      ...at,
    }
  })
  if (choices.length) await tx.db.insert(autoReplyChoices).values(choices)
}
