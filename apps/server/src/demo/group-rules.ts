import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { contactIdentities, contacts } from '../db/schema/contacts/contacts.ts'
import { groupMembers, groups } from '../db/schema/contacts/groups.ts'
import { connectionGroups } from '../db/schema/conversations/connection-groups.ts'
import {
  groupBans,
  groupFarewells,
  groupGreetings,
  groupLogs,
  groupWords,
} from '../db/schema/operations/group-rules.ts'
import { demoBaileys, demoWuzapi } from './phones.ts'
import type { Cast } from './seed.ts'

/** Groups that the shop leads; the stand-ins of their channels have the same ones. */
export const demoGroups = [
  { kind: 'baileys', name: 'Clientes VIP', description: 'Lançamentos antes de todo mundo.', people: 6 },
  { kind: 'baileys', name: 'Liquidação de verão', description: 'Só ofertas. Dúvidas no privado.', people: 9 },
  { kind: 'wuzapi', name: 'Equipe do estoque', description: 'Chegadas, faltas e inventário.', people: 4 },
  { kind: 'wuzapi', name: 'Fornecedores', description: '', people: 5 },
] as const
/** Who is in them, by the order of the list. */
export const demoMembers = [
  { name: 'Camila Ribeiro', number: '5511971230001' },
  { name: 'Renata Teixeira', number: '5511971230002' },
  { name: 'Patrícia Gomes', number: '5511971230003' },
  { name: 'Larissa Vieira', number: '5511971230004' },
  { name: 'Otávio Nunes', number: '5511971230005' },
  { name: 'Beatriz Falcão', number: '5511971230006' },
  { name: 'Gustavo Prado', number: '5511971230007' },
  { name: 'Helena Moura', number: '5511971230008' },
  { name: 'Igor Sales', number: '5511971230009' },
] as const

const addressAt = (at: number) => `1203630000000001${String(at).padStart(2, '0')}`

type Player<P, G> = {
  customer: (profile: { name: string; phone: string }) => P
  group: (subject: string, members: P[], ours: 'admin') => G
}
/** The same groups at the stand-in of a channel. */
export const playGroups = <P, G extends { jid: string; description?: string; isAdminsOnly?: boolean }>(
  kind: (typeof demoGroups)[number]['kind'],
  simulator: Player<P, G>,
) => {
  for (const [at, { kind: of, name, description, people }] of demoGroups.entries()) {
    if (of !== kind) continue
    const members = demoMembers.slice(0, people).map((one) => simulator.customer({ name: one.name, phone: one.number }))
    Object.assign(simulator.group(name, members, 'admin'), {
      ...{ jid: `${addressAt(at)}@g.us`, description, isAdminsOnly: name === 'Liquidação de verão' },
    })
  }
}

/** Groups of the QR code phone and of WuzAPI, the rules that hold in them, and what those did lately. */
export const seedGroupRules = async (
  tx: Tx,
  { channels, resellersId }: Pick<Cast, 'channels'> & { resellersId: string },
) => {
  const { tenantId } = tx
  const [baileys, wuzapi] = (['baileys', 'wuzapi'] as const).map(
    (kind) => channels.find((one) => one.kind === kind)?.id,
  )
  if (!baileys || !wuzapi) return
  const made = demoGroups.map((one, at) => ({
    ...one,
    id: v7(),
    value: addressAt(at),
    connectionId: one.kind === 'baileys' ? baileys : wuzapi,
  }))
  const now = Date.now()
  const ago = (minutes: number) => new Date(now - minutes * 60_000)
  await tx.db.insert(contacts).values(made.map(({ id, name }) => ({ tenantId, id, name, isGroup: true })))
  await tx.db
    .insert(contactIdentities)
    .values(made.map(({ id, value }) => ({ tenantId, contactId: id, kind: 'group' as const, value })))
  await tx.db
    .insert(groups)
    .values(made.map(({ id, description }) => ({ tenantId, contactId: id, description, readAt: ago(20) })))
  await tx.db.insert(groupMembers).values(
    made.flatMap(({ id, kind, people }) => {
      const us = { name: demoBaileys.profileName, number: kind === 'baileys' ? demoBaileys.phone : demoWuzapi.phone }
      return [...demoMembers.slice(0, people), us].map(({ name, number }) => ({
        ...{ tenantId, contactId: id, memberId: number, keys: [`phone:${number}`], name, toldAt: ago(20) },
        role: number === us.number ? ('admin' as const) : ('member' as const),
      }))
    }),
  )
  await tx.db.insert(connectionGroups).values([
    { tenantId, connectionId: baileys, groupId: resellersId, ourRole: 'member', isAdminsOnly: false },
    ...made.map(({ id, connectionId, name }) => ({
      ...{
        tenantId,
        connectionId,
        groupId: id,
        ourRole: 'admin' as const,
        isAdminsOnly: name === 'Liquidação de verão',
      },
    })),
  ])

  const [vip, sale] = made
  if (!vip || !sale) return
  const place = { tenantId, whatsappId: baileys }
  const rules = { ban: v7(), word: v7(), greeting: v7(), farewell: v7() }
  await tx.db.insert(groupBans).values([
    { ...place, id: rules.ban, number: '5511988880001', reason: 'Vendia produtos de terceiros' },
    { ...place, id: v7(), number: '5511988880002', reason: 'Ofendeu outra cliente', groupIds: [vip.id] },
  ])
  await tx.db.insert(groupWords).values([
    {
      ...{ ...place, id: rules.word, word: 'pirâmide', action: 'remove' as const },
      warning: '{{name}} saiu do {{group}}: aqui não divulgamos esquemas.',
    },
    {
      ...place,
      id: v7(),
      word: 'pix na frente',
      action: 'delete' as const,
      warning: '{{name}}, combine pagamentos no privado.',
    },
    {
      ...place,
      id: v7(),
      word: 'concorrente',
      action: 'warn' as const,
      warning: '{{name}}, vamos falar só das nossas peças?',
    },
  ])
  await tx.db
    .insert(groupGreetings)
    .values([
      { ...place, id: rules.greeting, message: 'Bem-vinda ao {{group}}, {{name}}! 💚 As regras estão na descrição.' },
    ])
  await tx.db
    .insert(groupFarewells)
    .values([{ ...place, id: rules.farewell, groupIds: [vip.id], message: 'Até a próxima, {{name}}!' }])
  const logged = [
    {
      kind: 'ban',
      groupId: vip.id,
      memberName: 'Sérgio Lopes',
      number: '5511988880001',
      why: 'Vendia produtos de terceiros',
      minutes: 52,
    },
    {
      kind: 'word',
      action: 'delete',
      groupId: vip.id,
      memberName: 'Otávio Nunes',
      number: '5511971230005',
      why: 'pix na frente',
      minutes: 190,
    },
    {
      kind: 'word',
      action: 'remove',
      groupId: sale.id,
      memberName: 'Marcos Dias',
      number: '5511988880003',
      why: 'pirâmide',
      minutes: 1_500,
    },
    { kind: 'greeting', groupId: vip.id, memberName: 'Beatriz Falcão', number: '5511971230006', why: '', minutes: 260 },
    { kind: 'greeting', groupId: vip.id, memberName: 'Otávio Nunes', number: '5511971230005', why: '', minutes: 260 },
    { kind: 'farewell', groupId: vip.id, memberName: 'Tatiana Reis', number: '5511988880004', why: '', minutes: 700 },
  ] as const
  await tx.db.insert(groupLogs).values(
    logged.map(({ minutes, number, ...one }, at) => ({
      ...{ ...one, tenantId, id: v7(), ruleId: rules[one.kind], connectionId: baileys, eventKey: `demo:${at}` },
      ...{ memberKeys: [`phone:${number}`], state: 'done' as const, attempts: 1 },
      ...{ dueAt: ago(minutes), createdAt: ago(minutes), doneAt: ago(minutes - 1) },
    })),
  )
}
