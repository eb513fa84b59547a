import { randomBytes } from 'node:crypto'

/** A refusal of the Graph API as messaging of pages words it. */
export class PageError extends Error {
  readonly code: number
  readonly status: number
  readonly subcode: number | undefined

  constructor(code: number, text: string, more: { status?: number; subcode?: number } = {}) {
    super(`(#${code}) ${text}`)
    this.code = code
    this.status = more.status ?? (code === 190 ? 401 : code === 10 || code === 200 ? 403 : 400)
    this.subcode = more.subcode
  }

  toBody() {
    return {
      error: {
        message: this.message,
        type: 'OAuthException',
        code: this.code,
        ...(this.subcode !== undefined && { error_subcode: this.subcode }),
        fbtrace_id: `A${randomBytes(8).toString('hex')}`,
      },
    }
  }
}

export const windowClosed = () =>
  new PageError(10, 'This message is sent outside of allowed window.', { subcode: 2018278 })
