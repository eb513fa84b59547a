import type { FieldProblem } from '@balcao/contract/errors.ts'

export const timeoutText = 'O processo está demorando mais do que o esperado. Por favor, aguarde.'
export const unknownText = 'Ocorreu um erro não identificado.'
export const expiredText = 'Sua sessão expirou. Entre de novo.'
export const offlineText = 'O servidor não respondeu. Confira a sua internet e tente de novo.'
/** Of what somebody wrote: it stands on their screen still. */
export const unsavedText =
  'O servidor não respondeu. O que você escreveu está guardado: confira a internet e tente de novo.'

/** A call that did not succeed. `code` is the server's ERR_…, or ERR_TIMEOUT, ERR_OFFLINE, ERR_CANCELLED of our own. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown
  readonly requestId: string | undefined

  constructor(problem: { status: number; code: string; message?: string; details?: unknown; requestId?: string }) {
    super(problem.message || unknownText)
    this.name = 'ApiError'
    this.status = problem.status
    this.code = problem.code
    this.details = problem.details
    this.requestId = problem.requestId
  }

  /** The fields the server complains about (422), ready for a form. */
  get problems(): FieldProblem[] {
    return Array.isArray(this.details) ? this.details.filter(isProblem) : []
  }
}

/** The fields the server complains about, of anything that was thrown. */
export const problemsOf = (error: unknown): FieldProblem[] => (error instanceof ApiError ? error.problems : [])
/** The first problem of each field; `nameOf` tells what the form calls it. */
export const byField = (problems: readonly FieldProblem[], nameOf = (path: string) => path): Record<string, string> => {
  const errors: Record<string, string> = {}
  for (const { path, message } of problems) errors[nameOf(path)] ??= message
  return errors
}
/** The sentence to show for anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : unknownText)
/** The same where no field stands beside it to say what is wrong: of a refused field, what is wrong with it. */
export const reasonOf = (error: unknown): string => problemsOf(error)[0]?.message || messageOf(error)
export const isApiError = (error: unknown, code?: string): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code)
/** Nobody answered, or nobody who could: it may be tried again. */
export const isUnanswered = (error: unknown): boolean =>
  isApiError(error) && (error.status === 0 || error.status >= 502)

const isProblem = (value: unknown): value is FieldProblem =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  'message' in value &&
  typeof value.message === 'string'
