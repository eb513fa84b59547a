import type { ConsentOutcome, consentReturn } from '@balcao/contract/core/integrations/index.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { env } from '../../../env.ts'
import { finishConsent, startConsent } from './consent.ts'

/** Holds the browser that began a consent; only it may come back with the answer, to whichever of these calls. */
const cookie = 'balcao_consent'
const path = '/api'

/** Where the account's owner consents. */
export const askConsent = async (
  { actor, protocol }: FastifyRequest,
  reply: FastifyReply,
  id: string,
  how: { inWindow: boolean },
): Promise<{ url: string }> => {
  const { url, browser } = await startConsent(actor, id, how)
  const secure = env.PUBLIC_URL.startsWith('https:') || protocol === 'https'
  reply.setCookie(cookie, browser, { path, httpOnly: true, sameSite: 'lax', secure, maxAge: 600 })
  return { url }
}

/** The provider sent the browser back. */
export const answerConsent = async (
  { cookies }: FastifyRequest,
  reply: FastifyReply,
  back: z.output<typeof consentReturn>,
): Promise<ConsentOutcome> => {
  const outcome = await finishConsent(back, cookies[cookie] ?? '')
  reply.clearCookie(cookie, { path })
  return outcome
}
