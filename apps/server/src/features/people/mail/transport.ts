import { env } from '../../../env.ts'
import { IntegrationError } from '../../../integrations/adapter.ts'
import { AppError } from '../../../kit/errors.ts'
import { platformTenant } from '../../core/integrations/gateways.ts'
import { markBroken, type OpenIntegration, openIntegration } from '../../core/integrations/integrations.service.ts'
import type { compose } from './compose.ts'

export type Transport = { send: (message: ReturnType<typeof compose>) => Promise<void>; close: () => void }

/** Whether the installation sends mails: from its account (company 0), or by the server of the environment. */
export const canSendMail = async () =>
  env.SMTP_URL !== undefined || (await openIntegration(platformTenant, 'mail')) !== undefined

/** As `canSendMail`, for people of this company: it may have an account of its own. */
export const canMailCompany = async (tenantId: number) =>
  (await canSendMail()) || (await openIntegration(tenantId, 'mail')) !== undefined

/**
 * Who carries the mails of a company: its own account where it has one that works, else the installation's, else the
 * server of the environment; undefined: nobody does for now, and they wait.
 */
export const openTransport = async (tenantId: number): Promise<Transport | undefined> => {
  const account = (await openIntegration(tenantId, 'mail')) ?? (await openIntegration(platformTenant, 'mail'))
  if (account?.adapter.sendMail) return transportOf(account)
  if (!env.SMTP_URL) return undefined
  const { createTransport } = await import('nodemailer')
  const server = createTransport(optionsOf(new URL(env.SMTP_URL)))
  return { send: async (message) => void (await server.sendMail(message)), close: () => server.close() }
}

const transportOf = (own: OpenIntegration): Transport => ({
  send: async ({ from: _ours, ...letter }) => {
    try {
      await own.adapter.sendMail?.(letter, own.context)
    } catch (error) {
      // The next attempt finds another way, or waits for somebody to mend this one.
      const isOwnFault = !(error instanceof IntegrationError && (error.isPassing || error.isRefusal))
      if (isOwnFault) await markBroken(own, describeTrouble(error))
      throw error
    }
  },
  close: () => {},
})

/** 465 is TLS from the start, 587 must upgrade; `?timeout=` seconds for each answer, nodemailer's own are minutes. */
const optionsOf = (url: URL) => {
  const port = Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587)
  const answerMs = 1_000 * (Number(url.searchParams.get('timeout')) || 10)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    secure: url.protocol === 'smtps:' || port === 465,
    requireTLS: port === 587,
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: answerMs,
    greetingTimeout: answerMs,
    socketTimeout: 3 * answerMs,
  }
}

const fieldOf = (error: unknown, name: string) =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined

/** The recipient's side says no for good. A wrong log-in, or a sender it does not take, is ours to mend: those wait. */
export const isRefusal = (error: unknown) => {
  if (error instanceof IntegrationError) return error.isRefusal
  const status = fieldOf(error, 'responseCode')
  const command = String(fieldOf(error, 'command') ?? '')
  return typeof status === 'number' && status >= 500 && /^(RCPT TO|DATA)/.test(command)
}

/** Nobody answers, or lets us in: the next mail would fare no better. */
export const isDead = (error: unknown) =>
  !isRefusal(error) && (fieldOf(error, 'responseCode') === undefined || fieldOf(error, 'code') === 'EAUTH')

/** Why it did not leave, for an administrator to read. */
export const describeTrouble = (error: unknown): string => {
  if (error instanceof IntegrationError || error instanceof AppError) return error.message
  const response = fieldOf(error, 'response')
  if (typeof response === 'string' && response) return response.slice(0, 300)
  const code = String(fieldOf(error, 'code') ?? 'sem código')
  return `O servidor de e-mail não respondeu (${code}).`
}
