import { ApiError } from './api.ts'
import { say } from './words.ts'

export const failureText = (error: unknown): string => {
  if (!(error instanceof ApiError)) return say('notOpened')
  if (error.code === 'ERR_WEBCHAT_DOMAIN') return say('notHere')
  return error.message
}
