import { createHash } from 'node:crypto'

/** A stable key for an event that has no id of its own: the same bytes twice are one event. */
export const fingerprint = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
