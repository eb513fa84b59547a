import { ApiError } from './api.ts'

export const failureText = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'Não conseguimos abrir o chat agora.'
  if (error.code === 'ERR_WEBCHAT_DOMAIN') return 'Este chat não está liberado para este site.'
  return error.message
}
