import { startInstagramSimulator } from '@balcao/simulators/meta.ts'
import type { Harness } from '../conformance.stage.ts'
import { calm, common, harnessOf, instagramId, pageId, secrets } from '../meta/conforming.ts'
import { instagram } from './adapter.ts'

/** An Instagram account by its page, and by its own login. */
export const startInstagram = async (login: 'page' | 'instagram' = 'page'): Promise<Harness<'instagram'>> => {
  const byPage = login === 'page' ? { pageId } : {}
  const account = { accountId: instagramId, ...byPage, name: 'Loja Aurora', username: 'lojaaurora' }
  const simulator = await startInstagramSimulator({ ...secrets, ...account, ...calm })
  const shared = { ...secrets, instagramId, ...byPage, humanAgent: false, comments: true, apiVersion: 'v25.0' }
  const parts = harnessOf('instagram', simulator, instagramId)
  const { customer } = parts
  return {
    ...parts,
    story: { mention: () => customer.mentionInStory(), reply: (text) => customer.replyToStory(text) },
    kind: 'instagram',
    adapter: instagram,
    config: { ...shared, login, baseUrl: simulator.url },
    receipts: 'read',
    fixtures: { ...common, ...ofInstagram },
  }
}

const ofInstagram: Record<string, string> = {
  like: 'message:text',
  reel: 'message:text',
  seen: 'status:read',
  'story-mention': 'message:image',
  'story-reply': 'message:text',
}
