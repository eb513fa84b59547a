import { randomBytes } from 'node:crypto'

/** A refusal of the Graph API: thrown in a handler, answered as Meta shapes it. */
export class GraphError extends Error {
  readonly code: number
  readonly status: number
  readonly details: string
  readonly subcode: number | undefined

  constructor(code: number, details: string, more: { status?: number; subcode?: number } = {}) {
    super(`(#${code}) ${titleOf(code)}`)
    this.code = code
    this.details = details
    this.status = more.status ?? statusOf(code)
    this.subcode = more.subcode
  }

  toBody() {
    return {
      error: {
        message: this.message,
        type: 'OAuthException',
        code: this.code,
        ...(this.code !== 190 && { error_data: { messaging_product: 'whatsapp', details: this.details } }),
        ...(this.subcode !== undefined && { error_subcode: this.subcode }),
        fbtrace_id: `A${randomBytes(8).toString('hex')}`,
      },
    }
  }
}

/** The same error as a failed status tells it. */
export const statusError = (code: number, details: string) => ({
  code,
  title: titleOf(code),
  message: titleOf(code),
  error_data: { details },
  href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
})

export const titleOf = (code: number): string => titles[code] ?? 'Unknown error'

const titles: Record<number, string> = {
  4: 'Application request limit reached',
  10: 'Application does not have permission for this action',
  33: 'Parameter value is not valid',
  100: 'Invalid parameter',
  190: 'Error validating access token: Session has expired',
  368: 'Temporarily blocked for policies violations',
  130429: 'Rate limit hit',
  130472: "User's number is part of an experiment",
  131000: 'Something went wrong',
  131008: 'Required parameter is missing',
  131009: 'Parameter value is not valid',
  131016: 'Service unavailable',
  131021: 'Recipient cannot be sender',
  131026: 'Message undeliverable',
  131031: 'Account has been locked',
  131042: 'Business eligibility payment issue',
  131047: 'Re-engagement message',
  131048: 'Spam rate limit hit',
  131049: 'Message not delivered to maintain healthy ecosystem engagement',
  131050: 'User has stopped marketing messages from this business',
  131051: 'Message type unknown',
  131052: 'Media download error',
  131053: 'Media upload error',
  131056: '(Business Account, Consumer Account) pair rate limit hit',
  132000: 'Number of parameters does not match the expected number of params',
  132001: 'Template name does not exist in the translation',
  132012: 'Parameter format does not match format in the created template',
  132015: 'Template is paused',
  132016: 'Template is disabled',
  132068: 'Flow is blocked',
  133005: 'Two step verification PIN mismatch',
  133006: 'Phone number re-verification needed',
  133010: 'Phone number not registered',
  136025: 'Verify code error',
}

const statusOf = (code: number): number => {
  if (code === 190) return 401
  if (code === 10) return 403
  if (code === 4 || code === 130429 || code === 131056 || code === 131048) return 429
  if (code === 131000) return 500
  if (code === 131016) return 503
  if (code === 132001) return 404
  return 400
}
