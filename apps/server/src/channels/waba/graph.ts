import { z } from 'zod'
import type { HttpAnswer, HttpRequest } from '../../kit/egress.ts'
import type { ChannelContext } from '../adapter.ts'
import { noAnswer, retryAfterMs } from '../http-errors.ts'
import { refusal } from './errors.ts'

export type Context = ChannelContext<'waba'>

const problem = z.object({
  error: z.object({
    code: z.number().optional(),
    message: z.string().optional(),
    error_data: z.object({ details: z.string().optional() }).optional().catch(undefined),
  }),
})

/** One call to the Graph API; refusals become ChannelError. `isHarmless` calls may be repeated after a time-out. */
export const graph = async (context: Context, path: string, request: HttpRequest, isHarmless = false) => {
  const { baseUrl, apiVersion } = context.config
  const answer = await call(context, `${baseUrl.replace(/\/$/, '')}/${apiVersion}/${path}`, request, isHarmless)
  check(answer, isHarmless)
  return answer
}

/** The bytes behind a link that Meta gave us: whatever is in them, they are not an answer to us. */
export const download = async (context: Context, url: string, request: HttpRequest) => {
  const answer = await call(context, url, request, true)
  if (!isFine(answer)) check(answer, true)
  return answer
}

const call = async (context: Context, url: string, request: HttpRequest, isHarmless: boolean): Promise<HttpAnswer> => {
  const headers = { ...request.headers, authorization: `Bearer ${context.config.accessToken}` }
  try {
    return await context.http(url, { ...request, headers })
  } catch (error) {
    throw noAnswer(error, isHarmless)
  }
}

const isFine = ({ status }: HttpAnswer) => status >= 200 && status < 300

/** An error counts whatever the status says: gateways have answered 200 with one. */
const check = (answer: HttpAnswer, isHarmless: boolean) => {
  const { error } = problem.safeParse(answer.json()).data ?? {}
  if (!error && isFine(answer)) return
  const details = error?.error_data?.details ?? error?.message
  throw refusal({
    status: answer.status,
    code: error?.code,
    details,
    retryAfterMs: retryAfterMs(answer.headers),
    isHarmless,
  })
}
