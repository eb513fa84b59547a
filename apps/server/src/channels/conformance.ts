import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { describe, expect, test } from 'vitest'
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
      expect(account?.id).toMatch(/^\d+$/)
      expect(channels[it.kind].config.shape).toHaveProperty(account?.field ?? '')
      const { text } = await adapter.connect(context)
      expect(text).toMatch(/^Conectado a/)
    })

    inbound(stage)
    outbound(stage)
    failures(stage)
    session(stage)
  })
