import { z } from 'zod'

/** So many letters of base64url, as browsers write them. */
const key = (letters: number) => z.string().regex(new RegExp(`^[\\w-]{${letters}}={0,2}$`), 'Chave inválida.')

/** POST /push/subscriptions: what the browser's push manager answered. */
export const pushSubscription = z.strictObject({
  endpoint: z.url('Endereço inválido.').max(1_000, 'Use no máximo 1.000 caracteres.'),
  keys: z.strictObject({
    p256dh: key(87).meta({ examples: [`B${'c'.repeat(86)}`] }),
    auth: key(22).meta({ examples: ['a'.repeat(22)] }),
  }),
})
export type PushSubscriptionKeys = z.output<typeof pushSubscription>

/** DELETE /push/subscriptions */
export const pushUnsubscribe = pushSubscription.pick({ endpoint: true })

/** GET /push/key: what a browser needs to subscribe. */
export const pushKey = z.object({ publicKey: z.string() })

/** What the service worker is told, encrypted for that one browser. */
export const pushPayload = z.object({
  /** For whom: another person may have logged in there since. */
  userId: z.string(),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  /** A newer one of the same tag takes its place on the screen. */
  tag: z.string(),
  /** The conversation that can be answered from the notification itself. */
  replyTo: z.string().nullable(),
})
export type PushPayload = z.output<typeof pushPayload>
