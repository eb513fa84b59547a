import { startMessengerSimulator } from '@balcao/simulators/meta.ts'
import type { Harness } from '../conformance.stage.ts'
import { calm, common, harnessOf, pageId, secrets } from '../meta/conforming.ts'
import { messenger } from './adapter.ts'

/** A page, for the conformance suite. */
export const startMessenger = async (): Promise<Harness<'messenger'>> => {
  const simulator = await startMessengerSimulator({ ...secrets, accountId: pageId, name: 'Loja Aurora', ...calm })
  const config = { ...secrets, pageId, humanAgent: false, comments: true, apiVersion: 'v25.0', baseUrl: simulator.url }
  return {
    ...harnessOf('messenger', simulator, pageId),
    kind: 'messenger',
    adapter: messenger,
    config,
    receipts: 'until',
    fixtures: { ...common, ...ofMessenger },
  }
}

const ofMessenger: Record<string, string> = {
  delivery: 'status:delivered + status:delivered',
  edit: 'edit',
  fallback: 'message:text',
  'feed-like': 'nothing',
  optin: 'nothing',
  read: 'readUntil',
  sticker: 'message:sticker',
  'template-echo': '~message:text',
}
