import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secret } from './secret.ts'

/**
 * What the server reads while it is loaded. Files that share a process share what was read: it is there before the first
 * of them, whether that one has to do with the server or not.
 */
const folder = 'balcao-data-'
process.env.APP_SECRET = secret
if (!process.env.DATA_DIR?.includes(folder)) process.env.DATA_DIR = mkdtempSync(join(tmpdir(), folder))
process.env.LOG_LEVEL ??= 'fatal'
process.env.EGRESS_ALLOW ??= '127.0.0.1,localhost'
process.env.NODE_ENV = 'test'
process.env.PUBLIC_URL ??= 'http://localhost:3000'
