import { conforms } from './conformance.ts'
import { startTelegram } from './telegram/harness.ts'
import { startWaba } from './waba/harness.ts'

conforms('waba', startWaba)
conforms('telegram', startTelegram)
