import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['apps/server/test/global-setup.ts'],
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 60_000,
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
