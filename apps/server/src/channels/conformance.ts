import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { describe, expect, test } from 'vitest'
import { abilitiesHold } from './conformance.abilities.ts'
import { failures } from './conformance.failures.ts'
import { inbound } from './conformance.inbound.ts'
import { outbound } from './conformance.outbound.ts'
import { session } from './conformance.session.ts'
import { type Harness, setStage } from './conformance.stage.ts'

/** Everything an adapter promises, over real HTTP, against the simulator of its provider. */
export const conforms = <K extends ChannelKind>(name: string, start: () => Promise<Harness<K>>) =>
  describe(name, async () => {
    const stage = await setStage(await start())
    const { it, adapter, context } = stage

    test('connecting registers what must be registered and names the account', async () => {
      const account = adapter.accountOf?.(it.config)
      if (account) {
        expect(account.id).not.toBe('')
        expect(channels[it.kind].config.shape).toHaveProperty(account.field)
      }
      const { text, isLeftToSession } = await adapter.connect(context)
      expect(isLeftToSession ? it.standing?.()?.text : text).toMatch(/^Conectado a/)
    })

    abilitiesHold(stage)
    inbound(stage)
    outbound(stage)
    failures(stage)
    session(stage)
  })
