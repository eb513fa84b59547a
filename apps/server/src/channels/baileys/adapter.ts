import type { ChannelAdapter } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { providerIdOf } from '../whatsapp/ids.ts'
import { fetchFile } from './media.ts'
import { parse } from './parse.ts'

/**
 * WhatsApp Web by the library Baileys (reference sheet baileys.md): a session that stays open. What it can do stands in
 * `calls.ts`, for only its owner can; the library is loaded by the first session.
 */
export const baileys: ChannelAdapter<'baileys'> = {
  session: {
    open: async (context, host) => (await import('./session.ts')).openBaileys(context, host),
    remote: [
      'send',
      'react',
      'remove',
      'edit',
      'markRead',
      'typing',
      'rejectCall',
      'participants',
      'groups',
      'groupAct',
      'numbers',
      'profile',
      'link',
      'unlink',
      'renewMedia',
    ],
  },
  split: (body) => [{ key: `unknown:${fingerprint(body)}`, payload: body }], // it comes by the session, in pieces already
  parse,
  chooseId: providerIdOf,
  fetchMedia: fetchFile,
  // Never called by itself: what is remote reaches the session. It is here so that the adapter can be asked what it does.
  send: async () => {
    throw new Error('A session sends')
  },
  connect: async () => ({ text: '', isLeftToSession: true }),
}
