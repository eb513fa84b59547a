import { memberActs } from '@balcao/contract/channels/group-acts.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import { expect } from 'vitest'
import type { GroupTarget } from './adapter.ts'
import { partOf, type Stage } from './conformance.stage.ts'

/** Each act that is declared does what it says, also twice; whoever does not lead the group is told so. */
export const leading = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { adapter, context, abilities, failure, simulator } = stage
  const { to, shown, isDeleted, rank, member, outsider, closed, made } = partOf(stage, 'ledGroup')
  const { bytes, mimeType: mime } = sampleMedia('image')
  const picture = { mime, base64: bytes.toString('base64') }
  const act = async (target: GroupTarget) => {
    const outcome = await adapter.groupAct?.(target, context)
    await simulator.idle()
    return outcome
  }
  const isIn = (people: readonly Identity[], who: Identity[]) =>
    people.some((one) => who.some(({ kind, value }) => one.kind === kind && one.value === value))
  const proofs: Record<(typeof abilities.groupActs)[number], () => Promise<unknown>> = {
    create: async () => {
      const { group } = (await act({ act: 'create', title: 'Turma 7', people: [outsider ?? member] })) ?? {}
      expect(made?.(group)).toMatchObject({ title: 'Turma 7' })
      expect(isIn(made?.(group)?.members ?? [], outsider ?? member)).toBe(true)
    },
    title: async () => {
      for (const title of ['Bairro Novo', 'Bairro Novo']) await act({ act: 'title', to, title })
      expect(shown().title).toBe('Bairro Novo')
    },
    description: async () => {
      for (const description of ['Só avisos.', 'Só avisos.', '']) {
        await act({ act: 'description', to, description })
        expect(shown().description).toBe(description)
      }
    },
    picture: async () => {
      await act({ act: 'picture', to, picture })
      expect(shown().hasPicture).toBe(true)
    },
    adminsOnly: async () => {
      for (const isOn of [true, true, false]) {
        await act({ act: 'adminsOnly', to, isOn })
        expect(shown().isAdminsOnly).toBe(isOn)
      }
    },
    add: async () => {
      if (!outsider || !closed) throw new Error('the harness adds nobody')
      const people = [outsider, closed, member]
      const outcome = await act({ act: 'add', to, people })
      expect(outcome?.people?.map((one) => one.outcome)).toEqual(['done', 'closed', 'already'])
      expect(outcome?.people?.[1]?.reason).toContain('convite')
      expect(isIn(shown().members, outsider)).toBe(true)
    },
    promote: async () => {
      expect((await act({ act: 'promote', to, people: [member] }))?.people).toMatchObject([{ outcome: 'done' }])
      expect(isIn(shown().admins, member)).toBe(true)
    },
    demote: async () => {
      expect((await act({ act: 'demote', to, people: [member] }))?.people).toMatchObject([{ outcome: 'done' }])
      expect(isIn(shown().admins, member)).toBe(false)
    },
    remove: async () => {
      const outcome = await act({ act: 'remove', to, people: [member] })
      expect(outcome?.people).toMatchObject([{ outcome: 'done' }])
      expect(isIn(shown().members, member)).toBe(false)
      const again = await act({ act: 'remove', to, people: [member] })
      expect(again?.people).toMatchObject([{ outcome: 'refused', reason: expect.any(String) }])
    },
    inviteLink: async () => {
      const link = async (isRenewed: boolean) => (await act({ act: 'inviteLink', to, isRenewed }))?.inviteUrl
      expect(await link(false)).toMatch(/^https:\/\//)
      expect(await link(true)).not.toBe(await link(true))
    },
    deleteMessage: async () => {
      const { speak, identity } = partOf(stage, 'group')
      await speak([{ who: 0, text: 'propaganda' }])
      await simulator.idle()
      const said = stage.written().find(({ content }) => content.body === 'propaganda')
      const author = said?.author?.identities
      expect(isDeleted(said?.providerId ?? '')).toBe(false)
      await adapter.remove?.({ providerId: said?.providerId ?? '', to: [identity], author }, context)
      await simulator.idle()
      expect(isDeleted(said?.providerId ?? '')).toBe(true)
    },
  }
  // People are promoted while they are there, and removed last.
  const order = [
    'deleteMessage',
    'create',
    'title',
    'description',
    'picture',
    'adminsOnly',
    'inviteLink',
    'add',
    'promote',
    'demote',
    'remove',
  ] as const
  for (const one of order) if (abilities.groupActs.includes(one)) await proofs[one]()

  rank('member')
  try {
    const people = [outsider ?? member]
    for (const one of memberActs.filter((name) => abilities.groupActs.includes(name)))
      expect(await failure(act({ act: one, to, people }))).toMatchObject({
        ...refused,
        message: expect.stringContaining('dministrador'),
      })
    expect(await failure(act({ act: 'title', to, title: 'Outro' }))).toMatchObject(refused)
  } finally {
    rank('admin')
  }
  if (!to[0]) throw new Error('the group has no name')
  const nowhere = [{ ...to[0], value: to[0].kind === 'telegram' ? '-999' : '120363999999999999' }]
  expect(await failure(act({ act: 'title', to: nowhere, title: 'Outro' }))).toMatchObject({
    outcome: 'final',
    isUnreachable: true,
  })
}
const refused = { outcome: 'final', isUnreachable: false, isConnectionBroken: false }
