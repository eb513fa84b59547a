import type { Live } from '../../../kit/live.ts'

/** An open picker sees what the provider approved or paused. */
export const templatesLive: Live = {
  'templates.updated': (cache) => {
    void cache.invalidateQueries({ queryKey: ['templates'] })
  },
}
