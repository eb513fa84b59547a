import chromium from '@sparticuz/chromium'
import type { TestProject } from 'vitest/node'
import { type OwnServer, setUp, startServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which every journey has a company of its own; `log` is the file it writes to. */
    journeys: Pick<OwnServer, 'url' | 'port' | 'databaseUrl' | 'log'>
  }
}

/** One server for the whole run: to start one costs as much as a short journey, and each keeps its timers going. */
export default async function setup(project: TestProject) {
  if (!project.vitest.projects.some(({ name }) => name === 'e2e')) return
  // Unpacked once, before two workers would start it while the other still writes it.
  await chromium.executablePath()
  const server = await startServer({}, project.getProvidedContext().ownerUrl)
  await setUp(server)
  const { url, port, databaseUrl, log } = server
  project.provide('journeys', { url, port, databaseUrl, log })
  return server.stop
}
