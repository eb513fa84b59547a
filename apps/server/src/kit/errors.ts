import { type ErrorCode, errorCodes, type FieldProblem } from '@balcao/contract/errors.ts'

/** An expected failure: a code of the catalogue, and what else the person needs to know. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: unknown
  readonly retryAfterS: number | undefined

  constructor(code: ErrorCode, more: { message?: string; details?: unknown; retryAfterS?: number } = {}) {
    super(more.message ?? errorCodes[code].text)
    this.code = code
    this.details = more.details
    this.retryAfterS = more.retryAfterS
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

/** 422 with the fields to correct. */
export const fieldErrors = (...problems: FieldProblem[]) => new AppError('ERR_VALIDATION', { details: problems })

/** What a person is told of it: the field's own sentence where there is one. */
export const sentenceOf = (error: AppError): string => {
  const [first]: unknown[] = Array.isArray(error.details) ? error.details : []
  const told = typeof first === 'object' && first !== null && 'message' in first ? first.message : undefined
  return typeof told === 'string' ? told : error.message
}
