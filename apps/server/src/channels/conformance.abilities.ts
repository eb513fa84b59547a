import type { Capability } from '@balcao/contract/channels/abilities.ts'
import { abilitiesOf, type ChannelKind, hasPhoneBook } from '@balcao/contract/channels/index.ts'
import { describe, expect, test } from 'vitest'
import type { ChannelAdapter } from './adapter.ts'
import * as carried from './conformance.carried.ts'
import * as done from './conformance.done.ts'
import * as groups from './conformance.groups.ts'
import { type Part, partNeeds, type Stage } from './conformance.stage.ts'

/** What each ability promises; one that nobody can show does not compile. */
const proofs: Record<Capability, <K extends ChannelKind>(stage: Stage<K>) => Promise<void>> = {
  text: carried.reaches('text'),
  image: carried.reaches('image'),
  audio: carried.reaches('audio'),
  video: carried.reaches('video'),
  document: carried.reaches('document'),
  sticker: carried.reaches('sticker'),
  album: carried.anAlbum,
  attachments: carried.attachments,
  location: carried.reaches('location'),
  contact: carried.reaches('contact'),
  template: carried.aTemplate,
  templateEditor: done.writingTemplates,
  businessAccount: done.publicProfile,
  block: done.blocking,
  buttons: carried.choices('buttons'),
  list: carried.choices('list'),
  requests: carried.requests,
  poll: carried.aPoll,
  reply: carried.aQuote,
  mass: carried.manyInARow,
  reaction: done.reacting,
  edit: done.editing,
  delete: done.takingBack,
  typing: done.typing,
  readReceipts: done.reading,
  groups: done.groupMembers,
  mentions: done.groupMentions,
  groupMessages: done.groupAuthors,
  groupActs: groups.leading,
  calls: done.turningDown,
  link: done.linking,
  history: done.olderMessages,
  mail: carried.aMail,
  window24h: done.closedWindow,
  stories: done.inStories,
  comments: done.privateReply,
}

/** What does it, where an ability is more than a kind of message. */
const methods = {
  album: 'sendAlbum',
  attachments: 'sendAttached',
  reaction: 'react',
  edit: 'edit',
  delete: 'remove',
  typing: 'typing',
  readReceipts: 'markRead',
  template: 'templates',
  templateEditor: 'editTemplates',
  businessAccount: 'businessAccount',
  requests: 'requests',
  block: 'block',
  groups: 'participants',
  groupActs: 'groupAct',
  calls: 'rejectCall',
  link: 'link',
} as const satisfies Partial<Record<Capability, keyof ChannelAdapter<ChannelKind>>>

/** The definition, the adapter and what the harness can show say the same. */
export const abilitiesHold = <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, abilities, can } = stage
  describe('abilities', () => {
    test.each(abilities.supports)('%s is as it should be', (capability) => proofs[capability](stage))

    test('what is declared can be done, and what can be done is declared', () => {
      const settings = [it.config, ...(it.alsoWith ?? []), ...(it.session ? [it.session.config] : [])]
      const declared = new Set(settings.flatMap((config) => abilitiesOf(it.kind, config).supports))
      const offered = Object.entries(methods).flatMap(([capability, method]) => (adapter[method] ? capability : []))
      const needed = Object.keys(methods).filter((capability) => declared.has(capability as Capability))
      expect(offered, 'abilities with a method of the adapter').toEqual(needed)
      expect(adapter.phoneBook !== undefined).toBe(hasPhoneBook(it.kind))
    })

    test('of what we send it tells what it declares, and nothing else', async () => {
      const { adapter, context, simulator, customer, outbound, receiver } = stage
      await adapter.send(outbound({ body: 'chegou?' }), context)
      await simulator.idle()
      await customer.read()
      await simulator.idle()
      const told = receiver
        .events()
        .flatMap((event) =>
          event.kind === 'readUntil'
            ? ['read']
            : event.kind === 'status' && event.status !== 'sent'
              ? [event.status]
              : [],
        )
      expect([...new Set(told)].toSorted()).toEqual(abilities.receipts)
    })

    test('limits belong to what they limit', () => {
      const { windowHours, buttonLimits, groupActs, pollLimits, mailLimits, textLimits } = abilities
      expect(windowHours !== null).toBe(can('window24h'))
      expect(mailLimits !== null).toBe(can('mail'))
      expect(pollLimits !== null).toBe(can('poll'))
      expect(groupActs.length > 0).toBe(can('groupActs'))
      if (buttonLimits) expect(can('buttons')).toBe(true)
      expect(textLimits.text).toBeGreaterThan(0)
    })

    test.each(Object.entries(partNeeds))('the harness shows %s, or says why not', (name, capability) => {
      const part = name as Part
      const isShown = it[part] !== undefined
      if (capability) expect(isShown, `the part "${part}" stands for the ability "${capability}"`).toBe(can(capability))
      else expect(Boolean(it.lacks?.[part]), `either "${part}", or a reason in lacks`).toBe(!isShown)
    })
  })
}
