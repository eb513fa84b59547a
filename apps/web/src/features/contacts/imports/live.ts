import type { Live } from '../../../kit/live.ts'
import { importList, importQuery, importsKey } from './api.ts'

export const importsLive: Live = {
  'contactImport.updated': (cache, { id }) => {
    void cache.invalidateQueries({ queryKey: importQuery(id).queryKey })
    void cache.invalidateQueries({ queryKey: importList.queryKey })
    void cache.invalidateQueries({ queryKey: [...importsKey, 'rows', id] })
  },
  /** Many at once: the lists on screen are read anew, page by page. */
  'contacts.changed': (cache) => {
    void cache.invalidateQueries({ queryKey: ['resource', 'contact', 'list'] })
    void cache.invalidateQueries({ queryKey: ['contacts'] })
  },
}
