/** Models that do not answer as they should, by name; whatever the provider, in its own words. */
export const magicModels = {
  'erro-401': {
    status: 401,
    code: 'invalid_api_key',
    type: 'authentication_error',
    grpc: 'UNAUTHENTICATED',
    message: 'Incorrect API key provided.',
  },
  'erro-402': {
    status: 402,
    code: 'insufficient_balance',
    type: 'billing_error',
    grpc: 'RESOURCE_EXHAUSTED',
    message: 'Insufficient Balance',
  },
  'erro-403': {
    status: 403,
    code: 'unsupported_country_region_territory',
    type: 'permission_error',
    grpc: 'PERMISSION_DENIED',
    message: 'Country, region, or territory not supported',
  },
  'erro-429': {
    status: 429,
    code: 'rate_limit_exceeded',
    type: 'rate_limit_error',
    grpc: 'RESOURCE_EXHAUSTED',
    message: 'Rate limit reached',
    retryAfterS: 1,
  },
  'sem-saldo': {
    status: 429,
    code: 'insufficient_quota',
    type: 'insufficient_quota',
    grpc: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  'erro-500': {
    status: 500,
    code: 'server_error',
    type: 'api_error',
    grpc: 'INTERNAL',
    message: 'The server had an error while processing your request',
  },
  'erro-529': { status: 529, code: 'overloaded', type: 'overloaded_error', grpc: 'UNAVAILABLE', message: 'Overloaded' },
  'longo-demais': {
    status: 400,
    code: 'context_length_exceeded',
    type: 'invalid_request_error',
    grpc: 'INVALID_ARGUMENT',
    message: 'prompt is too long: this model takes at most 8192 tokens (maximum context length)',
  },
  'erro-em-200': {
    status: 200,
    code: 'server_error',
    type: 'api_error',
    grpc: 'INTERNAL',
    message: 'The model is not available right now',
  },
} as const
export type Refusal = {
  status: number
  code: string
  type: string
  grpc: string
  message: string
  retryAfterS?: number
}

export const refusalFor = (model: string): Refusal | undefined => (magicModels as Record<string, Refusal>)[model]
/** These begin to answer, and then: wait before the first byte, break off, say nothing, will not. */
export const oddModels = ['lento', 'cortado', 'vazio', 'recusa'] as const

export class LlmError extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}
export const unauthorized: Refusal = { ...magicModels['erro-401'] }
export const noModel = (model: string): Refusal => ({
  status: 404,
  code: 'model_not_found',
  type: 'not_found_error',
  grpc: 'NOT_FOUND',
  message: `The model \`${model}\` does not exist or you do not have access to it.`,
})
