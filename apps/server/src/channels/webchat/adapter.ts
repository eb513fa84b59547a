import { hasWebchatSite } from '@balcao/contract/channels/webchat.ts'
import type { ChannelAdapter } from '../adapter.ts'

/**
 * The web chat hosts both ends: what a visitor writes enters by our own API, and sending is having stored the message,
 * because the window reads the same rows; correcting and taking back have changed the row already. Delivery, reading and
 * typing are told by the window itself.
 */
export const webchat: ChannelAdapter<'webchat'> = {
  split: () => [],
  parse: () => [],
  send: async (message) => ({ providerId: message.id }),
  find: async (messageId) => messageId,
  connect: async ({ config }) => ({
    text: hasWebchatSite(config)
      ? 'Pronto. Copie o código e cole no seu site.'
      : 'Falta o domínio do seu site: sem ele o chat não abre.',
  }),
}
