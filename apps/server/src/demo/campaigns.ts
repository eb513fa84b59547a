import { type ReceiptKind, receiptKinds } from '@balcao/contract/channels/abilities.ts'
import { campaignWrite } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { type campaignContent, campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import type { Tx } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { contactImports } from '../db/schema/contacts/imports.ts'
import { segments } from '../db/schema/contacts/segments.ts'
import { campaigns } from '../db/schema/operations/campaigns.ts'
import type { Cast } from './seed.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const ago = (ms: number) => new Date(Date.now() - ms)
const words = (...bodies: string[]) =>
  campaignStep.parse({ variants: bodies.map((body) => ({ content: { parts: [{ kind: 'text', body }] } })) })
const everybody = { include: [{ kind: 'everybody' as const }] }
const wholeDay = { from: '07:00', until: '22:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false }

type Row = Partial<typeof campaigns.$inferInsert>
type Given = z.input<typeof campaignWrite>

/** Campaigns as a shop has them: some that are over, one that runs slowly, one for later, a draft, one that stopped by itself; and a send of each mass screen. */
export const seedCampaigns = async (tx: Tx, { channels, people }: Cast) => {
  const { tenantId } = tx
  const channel = (kind: string) => channels.find((one) => one.kind === kind)?.id ?? ''
  const [official, counter, branch] = [channel('waba'), channel('evolution'), channel('zapi')]
  const person = (login: string) => people.find((one) => one.login === login)?.id ?? null
  const [segment] = await tx.db.select({ id: segments.id }).from(segments).limit(1)
  const add = async (given: Given, row: Row): Promise<string> => {
    const id = v7()
    const { name, origin, purpose, connectionIds, startsAt, endsAt, ...plan } = campaignWrite.parse(given)
    await tx.db.insert(campaigns).values({
      ...{ tenantId, id, name, origin, purpose, connectionIds, plan, createdBy: person('supervisor') },
      startsAt: startsAt === null ? null : new Date(startsAt),
      endsAt: endsAt === null ? null : new Date(endsAt),
      ...row,
    })
    return id
  }
  const over = (startedAt: Date, lasted: number): Row => {
    const finishedAt = new Date(startedAt.getTime() + lasted)
    return {
      state: 'finished',
      startedAt,
      preparedAt: startedAt,
      finishedAt,
      createdAt: ago(Date.now() - startedAt.getTime() + hour),
      updatedAt: finishedAt,
    }
  }

  const template = (use: z.input<typeof campaignContent>['template']) =>
    campaignStep.parse({ variants: [{ content: { template: use } }] })
  const resumedAt = ago(9 * day)
  const resumed = await add(
    {
      ...{ name: 'Conversas que ficaram pela metade', connectionIds: [official], audience: everybody },
      steps: [template({ name: 'retomar_conversa', language: 'pt_BR', body: ['{{primeiro_nome}}'] })],
      answer: { queueId: null, userId: null, chatFlowId: null, tagIds: [], days: 7 },
    },
    { ...over(resumedAt, 3 * hour), approvedBy: person('admin') },
  )
  await fill(tx, { id: resumed, connectionId: official, at: resumedAt, everySeconds: 90, many: 96, price: 374 })

  const openAt = ago(26 * hour)
  const mass = await add(
    {
      ...{ name: 'Texto: a loja abre no feriado', origin: 'text', purpose: 'service', connectionIds: [branch] },
      ...{ audience: everybody, steps: [words('Oi, {{primeiro_nome}}! Amanhã a loja abre das 10h às 16h. Até lá!')] },
      pace: { minSeconds: 20, maxSeconds: 40, dailyMost: null },
    },
    over(openAt, hour),
  )
  await fill(tx, { id: mass, connectionId: branch, at: openAt, everySeconds: 30, many: 34 })

  const [account] = await tx.db
    .select({ id: connections.id })
    .from(connections)
    .where(and(eq(connections.tenantId, tenantId), eq(connections.kind, 'sms')))
  const sms = account?.id ?? ''
  const lateAt = ago(4 * day)
  const late = await add(
    {
      ...{ name: 'SMS: entregas atrasadas pela chuva', origin: 'sms', purpose: 'service', connectionIds: [sms] },
      ...{ audience: everybody, steps: [words('Loja Aurora: por causa da chuva, seu pedido chega amanha. Desculpe!')] },
    },
    over(lateAt, 20 * minute),
  )
  await fill(tx, {
    id: late,
    connectionId: sms,
    at: lateAt,
    everySeconds: 6,
    many: 28,
    price: 900,
    tells: ['delivered'],
  })

  const [box] = await tx.db
    .select({ id: connections.id })
    .from(connections)
    .where(and(eq(connections.tenantId, tenantId), eq(connections.kind, 'email')))
  if (box) {
    const letterAt = ago(5 * day)
    const letter = await add(
      {
        ...{ name: 'Carta de dezembro por e-mail', connectionIds: [box.id], audience: everybody },
        steps: [
          campaignStep.parse({
            variants: [
              {
                content: {
                  subject: '{{primeiro_nome}}, o que chegou para o Natal',
                  parts: [
                    { kind: 'text', body: 'Oi, {{primeiro_nome}}!\n\nA vitrine de Natal está *pronta*: venha ver.' },
                  ],
                },
              },
            ],
          }),
        ],
      },
      over(letterAt, hour),
    )
    await fill(tx, { id: letter, connectionId: box.id, at: letterAt, everySeconds: 4, many: 40, tells: [] })
  }

  const askedAt = ago(3 * day)
  const asked = await add(
    {
      ...{ name: 'Modelo: pesquisa de satisfação', origin: 'template', purpose: 'research', audience: everybody },
      connectionIds: [official],
      steps: [template({ name: 'pesquisa_de_satisfacao', language: 'pt_BR' })],
    },
    over(askedAt, 40 * minute),
  )
  await fill(tx, { id: asked, connectionId: official, at: askedAt, everySeconds: 12, many: 52, price: 3_438 })

  const [fair] = await tx.db.select({ id: contactImports.id }).from(contactImports).limit(1)
  const fairAt = ago(30 * hour)
  const fairId = await add(
    {
      ...{ name: 'Modelo por linha: quem passou na feira', origin: 'templateVariables', connectionIds: [official] },
      audience: fair ? { include: [{ kind: 'import', importId: fair.id }] } : everybody,
      steps: [template({ name: 'retomar_conversa', language: 'pt_BR', body: ['{{extra.Nome}}'] })],
    },
    over(fairAt, 5 * minute),
  )
  await fill(tx, {
    ...{ id: fairId, connectionId: official, at: fairAt, everySeconds: 10, many: 6, price: 374 },
    ...(fair && { importId: fair.id }),
  })

  const tableAt = ago(6 * day)
  const table = await add(
    {
      ...{ name: 'Texto por linha: saldo do cartão presente', origin: 'variables', purpose: 'service' },
      ...{ connectionIds: [branch], audience: fair ? { include: [{ kind: 'import', importId: fair.id }] } : everybody },
      steps: [words('Oi, {{extra.Nome}}! O cartão presente da loja de {{extra.Cidade}} vale até dezembro.')],
      pace: { minSeconds: 20, maxSeconds: 40, dailyMost: null },
    },
    over(tableAt, 5 * minute),
  )
  await fill(tx, {
    ...{ id: table, connectionId: branch, at: tableAt, everySeconds: 30, many: 6 },
    ...(fair && { importId: fair.id }),
  })

  const slowAt = ago(70 * minute)
  const slow = await add(
    {
      ...{ name: 'Nova coleção na vitrine', connectionIds: [counter], audience: everybody, window: wholeDay },
      steps: [
        words(
          '{Oi|Olá}, {{primeiro_nome}}! A coleção nova chegou à loja de Pinheiros. {Passa|Venha} conhecer?\n\nPara não receber mais, responda SAIR.',
          '{{saudacao}}, {{primeiro_nome}}! Separamos peças novas com a sua cara. Quer ver as fotos?\n\nPara não receber mais, responda SAIR.',
        ),
        {
          ...words('{{primeiro_nome}}, a vitrine nova fica até domingo. Posso reservar algo para você?'),
          afterHours: 48,
        },
      ],
      pace: { minSeconds: 45, maxSeconds: 120, dailyMost: 80 },
    },
    { state: 'running', startedAt: slowAt, preparedAt: slowAt, dueAt: new Date(), createdAt: ago(2 * hour) },
  )
  await fill(tx, { id: slow, connectionId: counter, at: slowAt, everySeconds: 95, many: 92, upTo: 44, variants: 2 })

  const stoppedAt = ago(5 * hour)
  const stopped = await add(
    {
      ...{ name: 'Queima de estoque', connectionIds: [branch], audience: everybody },
      steps: [words('ÚLTIMOS DIAS! Tudo com até 50% de desconto. Responda SAIR para não receber.')],
      pace: { minSeconds: 15, maxSeconds: 25, dailyMost: null },
    },
    {
      ...{ state: 'paused', startedAt: stoppedAt, preparedAt: stoppedAt, createdAt: ago(6 * hour) },
      ...{ pauseCode: 'failures', pausedAt: new Date(stoppedAt.getTime() + 17 * minute) },
      pauseText: '22% dos envios da última hora falharam; o limite é 15%.',
    },
  )
  await fill(tx, {
    id: stopped,
    connectionId: branch,
    at: stoppedAt,
    everySeconds: 20,
    many: 88,
    upTo: 50,
    failsEvery: 4,
  })

  const monday = new Date(ago(-3 * day).setUTCHours(13, 0, 0, 0))
  await add(
    {
      ...{ name: 'Semana do cliente', connectionIds: [counter, branch], startsAt: monday.toISOString() },
      endsAt: new Date(monday.getTime() + 4 * day).toISOString(),
      audience: {
        include: segment ? [{ kind: 'segment', segmentId: segment.id }] : everybody.include,
        skipActive: true,
        restDays: 7,
      },
      steps: [
        words(
          '{Oi|Olá}, {{primeiro_nome}}! Esta semana é sua: 15% em toda a loja com o cupom CLIENTE15. Para sair, responda SAIR.',
        ),
      ],
      pace: { minSeconds: 20, maxSeconds: 50, dailyMost: 200 },
      canary: { size: 20, minutes: 60 },
    },
    { state: 'scheduled', dueAt: monday, createdAt: ago(day) },
  )
  await add(
    {
      ...{ name: 'Natal com frete grátis', connectionIds: [counter], audience: everybody },
      steps: [words('{{primeiro_nome}}, compre até dia 18 e receba antes do Natal, com frete grátis.')],
    },
    { createdBy: person('admin'), createdAt: ago(40 * minute) },
  )
}

type Filling = {
  id: string
  connectionId: string
  at: Date
  everySeconds: number
  many: number
  /** So many have had their turn; all of them when not given. */
  upTo?: number
  variants?: number
  failsEvery?: number
  /** Of one that arrived, in hundredths of a cent. */
  price?: number
  /** Those of a list, with its columns. */
  importId?: string
  /** What its channel tells of what left. */
  tells?: readonly ReceiptKind[]
}
/** Its recipients, as such a campaign fares: most read it, some answer, a few fail or ask for no more. */
const fill = async (
  tx: Tx,
  {
    id,
    connectionId,
    at,
    everySeconds,
    many,
    upTo = many,
    variants = 1,
    failsEvery = 24,
    price,
    importId,
    tells = receiptKinds,
  }: Filling,
) => {
  const moment = (after: SQL) => sql`${at.toISOString()}::timestamptz + make_interval(secs => ${after})`
  const sent = moment(sql`p.n * ${everySeconds}`)
  const later = (seconds: number) => moment(sql`p.n * ${everySeconds} + ${seconds} + (p.n * 37) % 240`)
  await tx.db.execute(sql`
    insert into campaign_recipients (tenant_id, id, campaign_id, step, contact_id, connection_id, variant, state, reason, error,
      message_id, cost, vars, due_at, sent_at, delivered_at, read_at, failed_at, answered_at, opted_out_at)
    select ${tx.tenantId}, gen_random_uuid(), ${id}::uuid, 0, p.id, case when p.reason is null then ${connectionId}::uuid end, p.n % ${variants},
      case when p.reason is not null then 'skipped' when p.n > ${upTo} then 'waiting' when p.fails then 'failed'
        when p.reads then 'read' when p.arrives then 'delivered' else 'sent' end,
      p.reason, case when p.reason is null and p.n <= ${upTo} and p.fails then ${tells === receiptKinds ? 'O número não tem WhatsApp.' : 'O endereço não existe.'} end,
      case when p.reason is null and p.n <= ${upTo} then gen_random_uuid() end, ${price ?? null}::int,
      case when ${importId ?? null}::uuid is not null then jsonb_build_object('Nome', p.name, 'Cidade', 'Campinas', 'UF', 'SP') end, ${at.toISOString()}::timestamptz,
      case when p.goes then ${sent} end, case when p.goes and p.arrives then ${later(4)} end,
      case when p.goes and p.reads then ${later(300)} end,
      case when p.reason is null and p.n <= ${upTo} and p.fails then ${sent} end,
      case when p.goes and p.reads and p.n % 7 = 3 then ${later(900)} end,
      case when p.goes and p.reads and p.n % 41 = 3 then ${later(960)} end
    from (select o.*, o.reason is null and o.n <= ${upTo} and not o.fails as goes from (
        select c.id, c.name, c.n, case when c.n % 23 = 5 then 'optedOut' when c.n % 31 = 7 then 'unreachable' when c.n % 29 = 11 then 'missingVariable:primeiro_nome' end as reason,
          c.n % ${failsEvery} = 1 as fails, c.n % 13 <> 4 and ${tells.includes('delivered')} as arrives,
          c.n % 13 <> 4 and c.n % 3 <> 0 and ${tells.includes('read')} as reads
        from (select id, name, row_number() over (order by id)::int as n from contacts
            where tenant_id = ${tx.tenantId} and not is_group and merged_into_id is null and number is not null
              and (${importId ?? null}::uuid is null or import_id = ${importId ?? null}::uuid)) c
        where c.n <= ${many}) o) p`)
}
