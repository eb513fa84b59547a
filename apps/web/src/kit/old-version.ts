/** A new version is out, and the code of this one is gone from the server. */
export const isOldVersion = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script|preload/i.test(error.message)
