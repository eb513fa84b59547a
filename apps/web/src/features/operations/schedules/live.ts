import { type Live, renewResource } from '../../../kit/live.ts'

/** The lists renew by themselves (`kit/live.ts`); what is on its way changes with its message. */
export const schedulesLive: Live = {
  'message.status': (cache) => renewResource(cache, 'schedule.updated'),
}
