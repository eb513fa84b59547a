import { errorText } from '@balcao/contract/errors.ts'
import type { resetCheckAnswer, resetHelp, SessionAnswer, setupState } from '@balcao/contract/people/auth.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { ApiError, isApiError } from '../../../kit/api-error.ts'
import { encryptPassword } from '../../../kit/crypto.ts'

/** Opens a session. The sentence of a refusal is the catalogue's, whatever the server wrote. */
export const login = async (email: string, password: string): Promise<SessionAnswer> => {
  const body = { email: email.trim(), password: await encryptPassword(password) }
  try {
    return await api.post<SessionAnswer>('/auth/login/', body)
  } catch (error) {
    const text = isApiError(error) ? errorText(error.code) : undefined
    throw isApiError(error) && text ? new ApiError({ status: error.status, code: error.code, message: text }) : error
  }
}

export const askPasswordReset = (email: string) => api.post('/password-reset', { email: email.trim() }, { quiet: true })

/** Whether a link comes by e-mail, or somebody has to hand it over. */
export const resetHelpQuery = queryOptions({
  queryKey: ['reset-help'],
  queryFn: ({ signal }) => api.get<z.output<typeof resetHelp>>('/auth/reset-help', { signal, quiet: true }),
  retry: false,
})

/** Whether a link to a password still works; where nobody answers, its use will tell. */
export const resetLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) =>
      api.post<z.output<typeof resetCheckAnswer>>('/reset-password/check', { token }, { signal, quiet: true }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const resetPassword = async (token: string, password: string, name?: string) =>
  api.post('/reset-password', { token, name, password: await encryptPassword(password) }, { quiet: true })

type Setup = { company: string; name: string; email: string; password: string }

/** First run: the first company, and the one person who administers it and takes care of the platform. */
export const setUp = async (tokenSetup: string, { password, ...rest }: Setup) =>
  api.post('/masterkey/setup', { ...rest, tokenSetup, password: await encryptPassword(password) }, { quiet: true })

/** Where the installation stands; asked with the link somebody opened, if any. */
export const setupStateQuery = (tokenSetup: string | undefined) =>
  queryOptions({
    queryKey: ['setup-state', tokenSetup],
    queryFn: ({ signal }) =>
      api.post<z.output<typeof setupState>>('/masterkey/state', { tokenSetup }, { signal, quiet: true }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY, // a form that somebody fills in must not be taken away
  })

export const redeemCode = (code: string) => api.post<SessionAnswer>('/masterkey/redeem', { code: code.trim() })
