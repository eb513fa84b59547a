/** Starts the workers of these names as `start.ts` does: `beforeAll(async () => (await startTestWorkers('sender')).stop)`. */
export const startTestWorkers = async (...names: string[]) => {
  const { workers } = await import('../src/jobs/workers.ts')
  const { startWorkers } = await import('../src/kit/workers.ts')
  const chosen = workers().filter(({ name }) => names.includes(name))
  if (chosen.length < names.length) throw new Error(`No such worker among ${names.join(', ')}`)
  return startWorkers(chosen)
}
