import type { FastifyReply } from 'fastify'

/** When the answer has left; at once for a caller who has hung up already. */
export const onceClosed = (reply: FastifyReply) =>
  new Promise<void>((resolve) => {
    if (reply.raw.closed) resolve()
    else reply.raw.once('close', resolve)
  })
