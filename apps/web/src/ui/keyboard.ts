import { keepEarlyKeys } from './early-keys.ts'
import { returnFocus } from './return-focus.ts'

returnFocus()
keepEarlyKeys()
