/** A refusal of the Bot API, answered as `{ok:false,error_code,description,parameters?}`. */
export class TelegramError extends Error {
  readonly code: number
  readonly parameters: { retry_after?: number; migrate_to_chat_id?: number } | undefined

  constructor(code: number, description: string, parameters?: TelegramError['parameters']) {
    super(description)
    this.code = code
    this.parameters = parameters
  }

  toBody() {
    return {
      ok: false,
      error_code: this.code,
      description: this.message,
      ...(this.parameters && { parameters: this.parameters }),
    }
  }
}

export const tooManyRequests = (retryAfter: number) =>
  new TelegramError(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter })
