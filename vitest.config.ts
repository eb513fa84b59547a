import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They set variables before the server is loaded, stub what belongs to everybody, or count what the process does. */
const needTheirOwnProcess = [
  'apps/server/src/features/people/auth/reset.test.ts',
  'apps/server/src/features/people/mail/mail.test.ts',
  'apps/server/src/features/conversations/places/places.test.ts',
  'apps/server/src/features/core/media/media.test.ts',
  'apps/server/src/features/intake/webchat/{webchat,transcript}.test.ts',
  'apps/server/src/kit/{fail-start,log,signals/signals,storage,workers,heavy/heavy}.test.ts',
  'apps/server/src/realtime/*.test.ts',
  'apps/server/src/{start,web}.test.ts',
  'apps/server/src/db/{migrate,embedded,database-up,database-away,replica,shares}.test.ts',
  'apps/server/test/walks.test.ts',
  'apps/web/src/kit/{service-worker,api-client,overtaken}.test.ts',
  'apps/web/src/features/conversations/messages/{outbox,kept-files,drafts-and-tray,uploads}.test.ts',
  'apps/web/src/features/operations/campaigns/unsaved.test.ts',
]
/** A clone that has never run them knows no durations: the walk of every screen is by far the longest file. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isWalk = (file: TestSpecification) => file.moduleId.endsWith('screens.axe.journey.ts')
    return [...sorted.filter(isWalk), ...sorted.filter((file) => !isWalk(file))]
  }
}
/** They kill servers and databases of their own, and measure how soon these are back: no journey runs meanwhile. */
const faults = ['e2e/faults*.journey.ts']
const journeys = {
  environment: 'node',
  testTimeout: 240_000,
  hookTimeout: 180_000,
} as const
const patient = { environment: 'node', testTimeout: 60_000, hookTimeout: 60_000 } as const

export default defineConfig({
  test: {
    globalSetup: ['apps/server/test/global-setup.ts', 'e2e/global-setup.ts'],
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...patient,
          name: 'shared',
          // The server is loaded once for each worker; every file has a database and a company of its own.
          isolate: false,
          setupFiles: ['apps/server/test/environment.ts'],
          include: ['{packages,apps,scripts}/**/*.test.{ts,tsx}'],
          exclude: needTheirOwnProcess,
        },
      },
      {
        test: {
          ...patient,
          name: 'unit',
          include: needTheirOwnProcess,
        },
      },
      {
        test: {
          ...journeys,
          name: 'e2e',
          // One browser for each worker, one server for all; every file has a company of its own.
          isolate: false,
          // A journey waits for much (seconds to take something back, a pause that ends): one more keeps the cores busy.
          maxWorkers: Math.max(2, availableParallelism()) + 1,
          include: ['e2e/**/*.journey.ts'],
          exclude: faults,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: { ...journeys, name: 'faults', include: faults, sequence: { groupOrder: 2 } },
      },
    ],
  },
})
