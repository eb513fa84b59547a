import { z } from 'zod'
import type { HttpAnswer, HttpClient, HttpRequest } from '../../kit/egress.ts'
import type { ChannelError } from '../adapter.ts'
import { noAnswer, retryAfterMs } from '../http-errors.ts'

type Access = { http: HttpClient; config: { accessToken: string; apiVersion: string; baseUrl: string } }
/** What Meta said no with. Without a code it was perhaps not Meta who spoke. */
export type Refusal = {
  status: number
  code?: number
  subcode?: number
  details?: string
  /** What Meta says to a person, in its own words. */
  advice?: string
  retryAfterMs?: number
  isHarmless: boolean
}

const problem = z.object({
  error: z.object({
    code: z.number().optional(),
    error_subcode: z.number().optional().catch(undefined),
    message: z.string().optional(),
    error_user_msg: z.string().optional().catch(undefined),
    error_data: z.object({ details: z.string().optional() }).optional().catch(undefined),
  }),
})

/** The Graph API as one product of Meta's speaks it; each has its own words for what it refuses. */
export const createGraph = (refusal: (refusal: Refusal) => ChannelError) => {
  const call = async (context: Access, url: string, request: HttpRequest, isHarmless: boolean): Promise<HttpAnswer> => {
    const headers = { ...request.headers, authorization: `Bearer ${context.config.accessToken}` }
    try {
      return await context.http(url, { ...request, headers })
    } catch (error) {
      throw noAnswer(error, isHarmless)
    }
  }

  /** An error counts whatever the status says: gateways have answered 200 with one. */
  const check = (answer: HttpAnswer, isHarmless: boolean) => {
    const { error } = problem.safeParse(answer.json()).data ?? {}
    if (!error && isFine(answer)) return
    throw refusal({
      status: answer.status,
      code: error?.code,
      subcode: error?.error_subcode,
      details: error?.error_data?.details ?? error?.message,
      advice: error?.error_user_msg,
      retryAfterMs: retryAfterMs(answer.headers),
      isHarmless,
    })
  }

  return {
    /** One call; refusals become ChannelError. `isHarmless` calls may be repeated after a time-out. */
    graph: async (context: Access, path: string, request: HttpRequest, isHarmless = false) => {
      const { baseUrl, apiVersion } = context.config
      const answer = await call(context, `${baseUrl.replace(/\/$/, '')}/${apiVersion}/${path}`, request, isHarmless)
      check(answer, isHarmless)
      return answer
    },
    /** The bytes behind a link that Meta gave us: whatever is in them, they are not an answer to us. */
    download: async (context: Access, url: string, request: HttpRequest) => {
      const answer = await call(context, url, request, true)
      if (!isFine(answer)) check(answer, true)
      return answer
    },
  }
}

const isFine = ({ status }: HttpAnswer) => status >= 200 && status < 300
