import { defineConfig } from 'vitest/config'

/** They set variables before the server is loaded, stub what belongs to everybody, or count what the process does. */
const needTheirOwnProcess = [
  'apps/server/src/features/auth/reset.test.ts',
  'apps/server/src/features/media/media.test.ts',
  'apps/server/src/features/webchat/webchat.test.ts',
  'apps/server/src/kit/**/*.test.ts',
  'apps/server/src/realtime/*.test.ts',
  'apps/server/src/{start,env,web}.test.ts',
  'apps/server/src/db/*.test.ts',
  'apps/server/test/walks.test.ts',
]
const patient = { environment: 'node', testTimeout: 60_000, hookTimeout: 60_000 } as const

export default defineConfig({
  test: {
    globalSetup: ['apps/server/test/global-setup.ts'],
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...patient,
          name: 'shared',
          // The server is loaded once for each worker; every file has a database and a company of its own.
          isolate: false,
          include: ['packages/**/*.test.ts', 'apps/server/**/*.test.ts'],
          exclude: needTheirOwnProcess,
        },
      },
      {
        test: {
          ...patient,
          name: 'unit',
          include: [
            'apps/web/**/*.test.{ts,tsx}',
            'apps/widget/**/*.test.ts',
            'scripts/**/*.test.ts',
            ...needTheirOwnProcess,
          ],
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.journey.ts'],
          environment: 'node',
          fileParallelism: false,
          // Browser, server and database share a few cores: one that is starved for seconds gets one more try, and says so.
          retry: 1,
          testTimeout: 240_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
