import { pino } from 'pino'
import { env } from '../env.ts'

/** An error without what it was about: statements keep their text and lose their values, rows their contents. */
const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return typeof error
  return {
    type: error.name,
    message: error.message.split('\nparams:')[0],
    code: 'code' in error ? error.code : undefined,
    constraint: 'constraint' in error ? error.constraint : undefined,
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    cause: error.cause ? describeError(error.cause) : undefined,
  }
}

/** The one logger. Never log message bodies, tokens or phone numbers; ids are enough to find them. */
export const log = pino({
  level: env.LOG_LEVEL,
  serializers: { err: describeError },
  redact: ['headers', '*.headers', '*.password', '*.token', '*.accessToken', '*.secret'],
})
