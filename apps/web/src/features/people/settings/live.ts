import type { Live } from '../../../kit/live.ts'

/** A colleague changed a setting: whoever looks at them reads them again. */
export const settingsLive: Live = {
  'settings.updated': (cache) => void cache.invalidateQueries({ queryKey: ['settings'] }),
}
